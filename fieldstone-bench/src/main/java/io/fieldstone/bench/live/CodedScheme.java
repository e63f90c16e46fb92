package io.fieldstone.bench.live;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.window.Acknowledgement;
import io.fieldstone.rlnc.window.Delivery;
import io.fieldstone.rlnc.window.PacketSink;
import io.fieldstone.rlnc.window.Reception;
import io.fieldstone.rlnc.window.Repair;
import io.fieldstone.rlnc.window.WindowCode;
import io.fieldstone.rlnc.window.WindowDecoder;
import io.fieldstone.rlnc.window.WindowEncoder;
import io.fieldstone.rlnc.window.WindowShape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A coder and a decoder of short packets. Which sources a repair covers is up to the subclass. */
abstract class CodedScheme implements Scheme, PacketSink {

  private static final int WINDOW = 2048;
  private static final int PACKET_BYTES = 2 * Long.BYTES;
  private static final long FACTOR = 6364136223846793005L; // Knuth's MMIX generator
  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

  private final DelaySimulation simulation;
  private final WindowShape shape = WindowShape.of(PACKET_BYTES, WINDOW);
  private final WindowEncoder encoder;
  private final WindowDecoder decoder;
  private final MemorySegment packet = MemorySegment.ofArray(new byte[PACKET_BYTES]);
  private int key;

  CodedScheme(DelaySimulation simulation, Engine engine) {
    this.simulation = simulation;
    this.encoder = WindowEncoder.open(engine, shape, WindowCode.GF256, 0);
    this.decoder = WindowDecoder.open(engine, shape, WindowCode.GF256, Delivery.AS_DECODED, 0);
  }

  final DelaySimulation simulation() {
    return simulation;
  }

  final WindowEncoder encoder() {
    return encoder;
  }

  final Acknowledgement acknowledgement() {
    return decoder.acknowledgement();
  }

  private MemorySegment packet(long source) {
    packet.set(WORD, 0, source * FACTOR);
    packet.set(WORD, Long.BYTES, ~source * FACTOR);
    return packet;
  }

  final void addSource(long source) {
    encoder.add(packet(source));
  }

  /** Sends a symbol over sources {@code first} … {@code first + count − 1}. */
  final void sendSymbol(long first, int count) {
    byte[] symbol = new byte[shape.symbolBytes()];
    key = (key + 1) % WindowCode.GF256.keys();
    Repair repair = encoder.repair(key, first, count, MemorySegment.ofArray(symbol));
    simulation.send(() -> {
      if (decoder.repair(repair, MemorySegment.ofArray(symbol), this) == Reception.INNOVATIVE) {
        onInnovative(repair.first());
      }
    });
  }

  @Override
  public final void arrive(long source) {
    if (decoder.source(source, packet(source), this) == Reception.INNOVATIVE) {
      onInnovative(source);
    }
  }

  /**
   * Takes note that a source, or a symbol over sources from this one on, has increased the rank.
   */
  void onInnovative(long source) {}

  @Override
  public final void packet(long source, MemorySegment decoded) {
    if (decoded.mismatch(packet(source)) >= 0) {
      throw new IllegalStateException("source %d was decoded to other bytes".formatted(source));
    }
    simulation.know(source);
  }

  @Override
  public final void gap(long first, long count) {
    // Sources that left the window: their delay has no end.
  }

  @Override
  public final void close() {
    encoder.close();
    decoder.close();
  }
}
