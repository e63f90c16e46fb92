package io.fieldstone.net.live;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The end of a tunnel at a TUN device. Packets of the device are those of the tunnel. */
final class TunPort implements TunnelPort {

  private static final Logger LOGGER = System.getLogger(TunPort.class.getName());

  private final TunDevice device;
  private final LongAdder dropped = new LongAdder();
  private volatile @Nullable PacketQueue tunnel;
  private boolean isReading;

  TunPort(TunDevice device) {
    this.device = device;
  }

  @Override
  public synchronized void connect(PacketQueue queue) {
    tunnel = queue;
    if (!isReading) {
      isReading = true;
      Thread.ofPlatform().daemon().name("fieldstone-tun").start(this::read);
    }
  }

  private void read() {
    try {
      for (MemorySegment packet = device.read(); packet.byteSize() > 0; packet = device.read()) {
        PacketQueue queue = tunnel;
        if (queue == null) {
          dropped.increment();
        } else {
          queue.add(packet);
        }
      }
    } catch (IOException e) {
      LOGGER.log(Level.WARNING, e.getMessage());
    }
  }

  @Override
  public void packet(MemorySegment packet) {
    if (!device.write(packet)) {
      dropped.increment();
    }
  }

  @Override
  public void mtu(int bytes) {
    try {
      device.mtu(Math.max(bytes, TunDevice.MIN_MTU));
    } catch (IOException e) {
      // Larger packets travel in parts.
      LOGGER.log(Level.DEBUG, e.getMessage());
    }
  }

  @Override
  public long dropped() {
    return dropped.sum();
  }

  @Override
  public void close() {
    device.close();
  }
}
