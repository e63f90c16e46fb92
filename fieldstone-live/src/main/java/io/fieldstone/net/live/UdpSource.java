package io.fieldstone.net.live;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Enumeration;

/**
 * Receives the packets that an application sends by UDP, such as those of ffmpeg. Joins the group
 * of a multicast address on every interface. For one thread; another may close it.
 */
public final class UdpSource implements AutoCloseable {

  private static final int SOCKET_BUFFER_BYTES = 8 << 20;

  private final DatagramChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(StreamServer.MAX_PACKET_BYTES);
  private final MemorySegment packet = MemorySegment.ofBuffer(buffer);

  private InetSocketAddress sender;

  private UdpSource(DatagramChannel channel, InetSocketAddress address) {
    this.channel = channel;
    this.sender = address;
  }

  /**
   * Binds a port.
   *
   * @param address the address, resolved; port 0 chooses a free one
   * @throws BindException if it cannot be bound; the message names it
   */
  public static UdpSource bind(InetSocketAddress address) throws IOException {
    InetAddress host = address.getAddress();
    DatagramChannel channel =
        DatagramChannel.open(
            host instanceof Inet6Address
                ? StandardProtocolFamily.INET6
                : StandardProtocolFamily.INET);
    try {
      channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_BYTES);
      if (host.isMulticastAddress()) {
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      }
      channel.bind(address);
      if (host.isMulticastAddress()) {
        join(channel, host);
      }
      return new UdpSource(channel, address);
    } catch (SocketException e) {
      channel.close();
      BindException named =
          new BindException(
              "%s: udp://%s:%d"
                  .formatted(e.getMessage(), address.getHostString(), address.getPort()));
      named.initCause(e);
      throw named;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static void join(DatagramChannel channel, InetAddress group) throws IOException {
    Enumeration<NetworkInterface> all = NetworkInterface.getNetworkInterfaces();
    while (all.hasMoreElements()) {
      NetworkInterface each = all.nextElement();
      if (each.isUp() && each.supportsMulticast()) {
        var _ = channel.join(group, each);
      }
    }
  }

  /** Returns the address, with the port that was chosen. */
  public InetSocketAddress address() throws IOException {
    return (InetSocketAddress) channel.getLocalAddress();
  }

  /**
   * Waits for a packet.
   *
   * @return the packet, valid until the next call; empty packets are left out
   * @throws java.nio.channels.ClosedChannelException once it is closed
   */
  public MemorySegment receive() throws IOException {
    do {
      buffer.clear();
      sender = (InetSocketAddress) channel.receive(buffer);
    } while (buffer.position() == 0);
    return packet.asSlice(0, buffer.position());
  }

  /** Returns the sender of the packet that was received last. */
  InetSocketAddress sender() {
    return sender;
  }

  /** Sends a packet from this port, on any thread; returns false if the system does not take it. */
  boolean send(MemorySegment bytes, InetSocketAddress to) {
    try {
      return channel.send(bytes.asByteBuffer(), to) > 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
