package io.fieldstone.net.live;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The end of a tunnel at its server: has a socket for each channel of a client, from which packets
 * go to one UDP port, and from which its answers come. For one client.
 */
final class UdpTargetPort implements TunnelPort {

  private static final Logger LOGGER = System.getLogger(UdpTargetPort.class.getName());

  /** The sockets that are open; the one that was idle for longest is closed. */
  private static final int MAX_SOCKETS = 256;

  private static final int SOCKET_BUFFER_BYTES = 4 << 20;

  private final InetSocketAddress target;
  private final LongAdder dropped = new LongAdder();

  /** The sockets by channel, the longest idle one first. On the loop. */
  private final Map<Integer, DatagramChannel> sockets = new LinkedHashMap<>(16, 0.75f, true);

  private @Nullable PacketQueue tunnel;

  /**
   * Creates a port.
   *
   * @param target where packets go, resolved
   */
  UdpTargetPort(InetSocketAddress target) {
    this.target = target;
  }

  @Override
  public void connect(PacketQueue queue) {
    tunnel = queue;
  }

  @Override
  public void packet(MemorySegment packet) {
    PacketQueue queue = tunnel;
    if (queue == null || packet.byteSize() <= UdpListenPort.CHANNEL_BYTES) {
      dropped.increment();
      return;
    }
    int number = packet.get(UdpListenPort.CHANNEL, 0) & 0xFFFF;
    ByteBuffer payload = packet.asSlice(UdpListenPort.CHANNEL_BYTES).asByteBuffer();
    try {
      DatagramChannel socket = sockets.get(number);
      if (socket == null) {
        socket = open(number, queue);
      }
      if (!isWritten(socket, payload)) {
        dropped.increment();
      }
    } catch (IOException e) {
      LOGGER.log(Level.DEBUG, "cannot send to {0}: {1}", target, e.getMessage());
      dropped.increment();
    }
  }

  /** Sends a packet; again if the first attempt reports that an earlier packet was refused. */
  private static boolean isWritten(DatagramChannel socket, ByteBuffer payload) throws IOException {
    try {
      return socket.write(payload) > 0;
    } catch (PortUnreachableException e) {
      return socket.write(payload) > 0;
    }
  }

  private DatagramChannel open(int number, PacketQueue queue) throws IOException {
    if (sockets.size() == MAX_SOCKETS) {
      Map.Entry<Integer, DatagramChannel> idle = sockets.entrySet().iterator().next();
      sockets.remove(idle.getKey());
      idle.getValue().close();
    }
    DatagramChannel socket = DatagramChannel.open();
    try {
      socket.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_BYTES);
      socket.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER_BYTES);
      socket.connect(target);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    sockets.put(number, socket);
    Thread.ofVirtual().name("fieldstone-tunnel").start(() -> read(socket, number, queue));
    return socket;
  }

  private void read(DatagramChannel socket, int number, PacketQueue queue) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(StreamServer.MAX_PACKET_BYTES);
    MemorySegment framed = MemorySegment.ofBuffer(buffer);
    framed.set(UdpListenPort.CHANNEL, 0, (short) number);
    while (socket.isOpen()) {
      try {
        buffer.clear().position(UdpListenPort.CHANNEL_BYTES);
        if (socket.read(buffer) > 0) {
          queue.add(framed.asSlice(0, buffer.position()));
        }
      } catch (PortUnreachableException e) {
        // Nobody listens at this moment.
      } catch (IOException e) {
        return;
      }
    }
  }

  @Override
  public long dropped() {
    return dropped.sum();
  }

  @Override
  public void close() {
    for (DatagramChannel socket : sockets.values()) {
      try {
        socket.close();
      } catch (IOException e) {
        // Nothing was written that could be lost.
      }
    }
    sockets.clear();
  }
}
