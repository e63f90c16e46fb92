package io.fieldstone.net.live;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.window.Reception;
import io.fieldstone.rlnc.window.Repair;
import io.fieldstone.rlnc.window.WindowCode;
import io.fieldstone.rlnc.window.WindowRecoder;
import io.fieldstone.rlnc.window.WindowVector;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The window of a relay: what has been received and solved of a flow. If the relay knows all that a
 * repair has to cover, it makes one as the origin does. Else the repair combines all that the relay
 * has, without waiting for what is missing. For one thread.
 */
final class RelayWindow implements LiveWindow {

  private final FlowShape shape;
  private final WindowRecoder recoder;
  private final long[] addedNanos;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment symbol;
  private final MemorySegment coefficients;

  /** The sources of the window that are missing. */
  private final TreeSet<Long> missing = new TreeSet<>();

  private long end;

  RelayWindow(Engine engine, FlowShape shape) {
    this.shape = shape;
    long seed = new SecureRandom().nextLong();
    this.recoder =
        WindowRecoder.open(engine, shape.decoderShape(), WindowCode.GF256, seed, shape.first());
    this.addedNanos = new long[recoder.shape().window()];
    this.symbol = arena.allocate(recoder.shape().symbolBytes());
    this.coefficients = arena.allocate(recoder.shape().window());
    this.end = shape.first();
  }

  /**
   * Receives a source that has arrived or is solved. The recoder solves less than the decoder does:
   * it no longer holds what all receivers have, and repairs may cover that.
   */
  void source(long id, MemorySegment source, long nowNanos) {
    know(id + 1, nowNanos);
    missing.remove(id);
    Reception _ = recoder.source(id, source);
  }

  /** Receives a repair of the origin. */
  void repair(Repair repair, MemorySegment received, long nowNanos) {
    know(repair.end(), nowNanos);
    Reception _ = recoder.repair(repair, received);
  }

  /** Receives a repair of another relay. */
  void recoded(long first, MemorySegment vector, MemorySegment received, long nowNanos) {
    know(first + vector.byteSize(), nowNanos);
    Reception _ = recoder.recoded(first, vector, received);
  }

  /** Takes note that sources exist, of which those that do not arrive are missing. */
  private void know(long newEnd, long nowNanos) {
    for (long id = Math.max(end, newEnd - addedNanos.length); id < newEnd; id++) {
      addedNanos[slot(id)] = nowNanos;
      missing.add(id);
    }
    end = Math.max(end, newEnd);
    missing.headSet(end - addedNanos.length).clear();
  }

  private int slot(long id) {
    return (int) (id % addedNanos.length);
  }

  @Override
  public FlowShape shape() {
    return shape;
  }

  @Override
  public long first() {
    return Math.max(recoder.first(), end - addedNanos.length);
  }

  @Override
  public long end() {
    return end;
  }

  @Override
  public Optional<MemorySegment> source(long id) {
    return recoder.isKnown(id) ? Optional.of(recoder.packet(id)) : Optional.empty();
  }

  @Override
  public long addedNanos(long id) {
    return addedNanos[slot(id)];
  }

  @Override
  public int repair(long number, long first, long repairEnd, long nowNanos, MemorySegment packet) {
    if (recoder.isEmpty()) {
      return 0;
    }
    long from = Math.max(first, first());
    if (missing.subSet(from, repairEnd).isEmpty()) {
      return seeded(number, from, repairEnd, nowNanos, packet);
    }
    int bytes = mixed(number, nowNanos, packet);
    if (bytes > 0) {
      return bytes;
    }
    // The vector is too long for a packet: combine the known sources before or behind a gap.
    long gap = missing.ceiling(from);
    return gap > from
        ? seeded(number, from, gap, nowNanos, packet)
        : seeded(number, missing.lower(repairEnd) + 1, repairEnd, nowNanos, packet);
  }

  /** Writes a repair of sources that are all known. */
  private int seeded(long number, long from, long to, long nowNanos, MemorySegment packet) {
    if (from >= to) {
      return 0;
    }
    int count = (int) Math.min(to - from, shape.window());
    Repair _ = recoder.repair((int) (number & WindowCode.MAX_KEY), from, count, symbol);
    return LivePacket.writeRepair(
        packet, nowNanos, number, from, count, MemorySegment.NULL, symbol);
  }

  /** Writes a combination of all sources and repairs that the relay has. */
  private int mixed(long number, long nowNanos, MemorySegment packet) {
    WindowVector vector = recoder.next(coefficients, symbol);
    int count = (int) vector.coefficients().byteSize();
    return count > shape.window()
        ? 0
        : LivePacket.writeRepair(
            packet, nowNanos, number, vector.first(), count, vector.coefficients(), symbol);
  }

  @Override
  public int lacking(long first, long to) {
    return first >= to
        ? 0
        : Math.max(0, missing.subSet(first, to).size() - recoder.rank());
  }

  @Override
  public void release(long firstWanted) {
    recoder.acknowledge(Math.min(firstWanted, end));
    missing.headSet(firstWanted).clear();
  }

  @Override
  public void close() {
    recoder.close();
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
