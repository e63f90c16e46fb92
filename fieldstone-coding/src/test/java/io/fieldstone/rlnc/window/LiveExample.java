package io.fieldstone.rlnc.window;

import io.fieldstone.engine.Engine;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Iterator;
import java.util.function.BooleanSupplier;

/** Sends packets over UDP as they come, and plays them in order. */
final class LiveExample {

  private LiveExample() {}

  // example begin
  static final WindowShape SENT = WindowShape.of(1316, 256);
  static final WindowShape RECEIVED = WindowShape.of(1316, 256 + 32); // 32: reordering
  static final int HEADER = Long.BYTES + Integer.BYTES + Short.BYTES; // first, key, count
  static final int SOURCES_PER_REPAIR = 5;
  static final int PATIENCE = 100; // the packets for which a missing one is waited for

  static void send(
      DatagramChannel viewer, Engine engine, Iterator<byte[]> camera, BooleanSupplier isLost)
      throws IOException {
    ByteBuffer datagram = ByteBuffer.allocateDirect(HEADER + SENT.symbolBytes());
    MemorySegment symbol = MemorySegment.ofBuffer(datagram).asSlice(HEADER);
    ByteBuffer report = ByteBuffer.allocateDirect(Long.BYTES);
    viewer.configureBlocking(false);
    try (WindowEncoder encoder = WindowEncoder.open(engine, SENT, WindowCode.GF256, 0)) {
      while (camera.hasNext()) {
        byte[] packet = camera.next();
        long id = encoder.add(MemorySegment.ofArray(packet));
        datagram.clear().putLong(id).putInt(0).putShort((short) 0).put(packet);
        transmit(viewer, datagram.flip(), isLost);
        if (id % SOURCES_PER_REPAIR == 0) {
          Repair repair = encoder.repair((int) (id % WindowCode.GF256.keys()), symbol);
          datagram.clear().putLong(repair.first()).putInt(repair.key());
          transmit(viewer, datagram.putShort((short) repair.count()).rewind(), isLost);
        }
        while (viewer.read(report.clear()) == Long.BYTES) {
          encoder.acknowledge(Math.min(report.getLong(0), encoder.next()));
        }
      }
    }
  }

  private static void transmit(DatagramChannel viewer, ByteBuffer datagram, BooleanSupplier isLost)
      throws IOException {
    if (!isLost.getAsBoolean()) {
      viewer.write(datagram);
    }
  }

  static void play(DatagramChannel sender, Engine engine, PacketSink screen) throws IOException {
    ByteBuffer datagram = ByteBuffer.allocateDirect(HEADER + RECEIVED.symbolBytes());
    ByteBuffer report = ByteBuffer.allocateDirect(Long.BYTES);
    try (WindowDecoder decoder =
        WindowDecoder.open(engine, RECEIVED, WindowCode.GF256, Delivery.IN_ORDER, 0)) {
      while (sender.read(datagram.clear()) >= HEADER) { // until the thread is interrupted
        long first = datagram.flip().getLong();
        int key = datagram.getInt();
        int count = datagram.getShort();
        MemorySegment bytes = MemorySegment.ofBuffer(datagram);
        if (count == 0) {
          decoder.source(first, bytes, screen);
        } else {
          decoder.repair(new Repair(key, first, count), bytes, screen);
        }
        decoder.expire(decoder.acknowledgement().end() - PATIENCE, screen);
        sender.write(report.putLong(0, decoder.acknowledgement().firstMissing()).rewind());
      }
    }
  }
  // example end
}
