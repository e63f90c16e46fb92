package io.fieldstone.bench.simulation;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.window.Acknowledgement;
import io.fieldstone.rlnc.window.Delivery;
import io.fieldstone.rlnc.window.PacketSink;
import io.fieldstone.rlnc.window.Repair;
import io.fieldstone.rlnc.window.WindowCode;
import io.fieldstone.rlnc.window.WindowDecoder;
import io.fieldstone.rlnc.window.WindowEncoder;
import io.fieldstone.rlnc.window.WindowShape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongConsumer;

/**
 * The decoder of a receiver, with the bytes of all packets. The symbol of a repair is a function of
 * its key and of what it covers, so it is made when it arrives, and only if it does.
 */
final class CodecWindow implements ReceiverWindow, PacketSink {
  /** An odd constant, so that packets of all sources differ (Knuth's MMIX generator). */
  private static final long FACTOR = 6364136223846793005L;

  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

  private final WindowCode code;
  private final WindowEncoder encoder;
  private final WindowDecoder decoder;
  private final LongConsumer onKnown;
  private final MemorySegment packet;
  private final MemorySegment symbol;
  private int key;
  private long end;

  CodecWindow(Engine engine, WindowCode code, int payloadBytes, LongConsumer onKnown) {
    // Repairs on their way cover older sources than later ones do.
    WindowShape shape = WindowShape.of(payloadBytes, 2 * LiveSimulation.WINDOW);
    this.code = code;
    this.encoder = WindowEncoder.open(engine, shape, code, 0);
    this.decoder = WindowDecoder.open(engine, shape, code, Delivery.AS_DECODED, 0);
    this.onKnown = onKnown;
    this.packet = MemorySegment.ofArray(new byte[payloadBytes]);
    this.symbol = MemorySegment.ofArray(new byte[shape.symbolBytes()]);
  }

  /** Returns the packet of a source, valid until the next call. */
  private MemorySegment packet(long source) {
    long word = (source + 1) * FACTOR;
    long at = 0;
    for (; at + Long.BYTES <= packet.byteSize(); at += Long.BYTES) {
      packet.set(WORD, at, word);
      word = (word ^ word >>> 32) * FACTOR;
    }
    for (; at < packet.byteSize(); at++) {
      packet.set(ValueLayout.JAVA_BYTE, at, (byte) (word >>> at % Long.BYTES * Byte.SIZE));
    }
    return packet;
  }

  @Override
  public void source(long source) {
    end = Math.max(end, source + 1);
    decoder.source(source, packet(source), this);
  }

  @Override
  public void repair(long first, long repairEnd) {
    end = Math.max(end, repairEnd);
    while (encoder.next() < repairEnd) {
      encoder.add(packet(encoder.next()));
    }
    key = (key + 1) % code.keys();
    Repair repair = encoder.repair(key, first, (int) (repairEnd - first), symbol);
    decoder.repair(repair, symbol, this);
  }

  @Override
  public void expire(long firstWanted) {
    decoder.expire(Math.min(firstWanted, end), this);
  }

  @Override
  public long firstMissing() {
    return acknowledgement().firstMissing();
  }

  @Override
  public int deficit() {
    return acknowledgement().deficit();
  }

  private Acknowledgement acknowledgement() {
    return decoder.acknowledgement();
  }

  @Override
  public void packet(long source, MemorySegment decoded) {
    if (decoded.mismatch(packet(source)) >= 0) {
      throw new IllegalStateException("source " + source + " has other bytes than were sent");
    }
    onKnown.accept(source);
  }

  @Override
  public void gap(long first, long count) {}

  @Override
  public void close() {
    encoder.close();
    decoder.close();
  }
}
