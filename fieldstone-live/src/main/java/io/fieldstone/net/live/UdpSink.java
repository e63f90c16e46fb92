package io.fieldstone.net.live;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.atomic.LongAdder;

/**
 * Sends packets to an application by UDP, such as a player. A packet that the system does not take
 * at once is dropped and counted. For one thread; any may ask for the count.
 */
public final class UdpSink implements StreamReceiver.Sink, AutoCloseable {

  private static final int SOCKET_BUFFER_BYTES = 4 << 20;

  private final DatagramChannel channel;
  private final LongAdder dropped = new LongAdder();

  private UdpSink(DatagramChannel channel) {
    this.channel = channel;
  }

  /**
   * Opens a socket.
   *
   * @param address where to send, resolved
   */
  public static UdpSink open(InetSocketAddress address) throws IOException {
    DatagramChannel channel = DatagramChannel.open();
    try {
      channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER_BYTES);
      channel.configureBlocking(false);
      channel.connect(address);
      return new UdpSink(channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public void packet(MemorySegment packet) {
    try {
      if (channel.write(packet.asByteBuffer()) == 0) {
        dropped.increment();
      }
    } catch (IOException e) {
      // Nobody listens yet, or the packet is larger than the path carries.
      dropped.increment();
    }
  }

  /** Returns the packets that the system did not take. */
  public long dropped() {
    return dropped.sum();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
