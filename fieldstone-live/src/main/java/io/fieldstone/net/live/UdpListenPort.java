package io.fieldstone.net.live;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The UDP port at which the client of a tunnel stands in for a far one. Each application that sends
 * to it has a channel, whose number precedes its packets in the tunnel.
 */
final class UdpListenPort implements TunnelPort {

  /** The applications that are remembered; the one that was idle for longest is forgotten. */
  static final int MAX_CHANNELS = 1024;

  static final int CHANNEL_BYTES = 2;

  static final ValueLayout.OfShort CHANNEL =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final UdpSource udp;
  private final LongAdder dropped = new LongAdder();

  /** The channels by address, the longest idle one first. */
  private final Map<InetSocketAddress, Integer> channels = new LinkedHashMap<>(16, 0.75f, true);

  private final InetSocketAddress[] addresses = new InetSocketAddress[MAX_CHANNELS];
  private volatile @Nullable PacketQueue tunnel;
  private boolean isReading;

  UdpListenPort(UdpSource udp) {
    this.udp = udp;
  }

  @Override
  public synchronized void connect(PacketQueue queue) {
    tunnel = queue;
    if (!isReading) {
      isReading = true;
      Thread.ofPlatform().daemon().name("fieldstone-tunnel").start(this::read);
    }
  }

  private void read() {
    try {
      byte[] bytes = new byte[StreamServer.MAX_PACKET_BYTES];
      MemorySegment framed = MemorySegment.ofArray(bytes);
      while (true) {
        MemorySegment packet = udp.receive();
        PacketQueue queue = tunnel;
        if (queue == null || packet.byteSize() > bytes.length - CHANNEL_BYTES) {
          dropped.increment();
          continue;
        }
        framed.set(CHANNEL, 0, (short) channelOf(udp.sender()));
        MemorySegment.copy(packet, 0, framed, CHANNEL_BYTES, packet.byteSize());
        queue.add(framed.asSlice(0, CHANNEL_BYTES + packet.byteSize()));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private synchronized int channelOf(InetSocketAddress sender) {
    Integer known = channels.get(sender);
    if (known != null) {
      return known;
    }
    int number = channels.size();
    if (number == MAX_CHANNELS) {
      Map.Entry<InetSocketAddress, Integer> idle = channels.entrySet().iterator().next();
      number = idle.getValue();
      channels.remove(idle.getKey());
    }
    channels.put(sender, number);
    addresses[number] = sender;
    return number;
  }

  @Override
  public void packet(MemorySegment packet) {
    InetSocketAddress address = null;
    if (packet.byteSize() > CHANNEL_BYTES) {
      int channel = packet.get(CHANNEL, 0) & 0xFFFF;
      synchronized (this) {
        address = channel < MAX_CHANNELS ? addresses[channel] : null;
      }
    }
    if (address == null || !udp.send(packet.asSlice(CHANNEL_BYTES), address)) {
      dropped.increment();
    }
  }

  @Override
  public long dropped() {
    return dropped.sum();
  }

  @Override
  public void close() {
    try {
      udp.close();
    } catch (IOException e) {
      // Nothing was written that could be lost.
    }
  }
}
