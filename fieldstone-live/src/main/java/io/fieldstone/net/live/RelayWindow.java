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
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The window of a relay: what has been received and solved of a flow. If the relay knows all that a
 * repair has to cover, it makes one as the origin does. Else the repair combines what the relay
 * knows of it, without waiting for what is missing. For one thread.
 */
final class RelayWindow implements LiveWindow {

  /** The distance, in sources, of the places of two repairs of runs. */
  private static final long STRIDE = 37;

  private final FlowShape shape;
  private final WindowRecoder recoder;
  private final long[] addedNanos;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment symbol;
  private final MemorySegment coefficients;

  /** The sources of the window that are missing. */
  private final TreeSet<Long> missing = new TreeSet<>();

  /** Those of them that the sender does not send. */
  private final TreeSet<Long> skipped = new TreeSet<>();

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

  /** Receives a source that has arrived or is solved. */
  void source(long id, MemorySegment source, long nowNanos) {
    know(id + 1, nowNanos);
    missing.remove(id);
    skipped.remove(id);
    Reception _ = recoder.source(id, source);
  }

  /** Takes note that the sources {@code from} … {@code to} − 1 are not sent. */
  void skip(long from, long to, long nowNanos) {
    know(to, nowNanos);
    skipped.addAll(missing.subSet(from, to));
  }

  /** Takes note that sources exist, of which those that do not arrive are missing. */
  private void know(long newEnd, long nowNanos) {
    for (long id = Math.max(end, newEnd - addedNanos.length); id < newEnd; id++) {
      addedNanos[slot(id)] = nowNanos;
      missing.add(id);
    }
    end = Math.max(end, newEnd);
    forget(end - addedNanos.length);
  }

  private void forget(long first) {
    missing.headSet(first).clear();
    skipped.headSet(first).clear();
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
  public boolean isSkipped(long id) {
    return skipped.contains(id);
  }

  @Override
  public long addedNanos(long id) {
    return addedNanos[slot(id)];
  }

  @Override
  public int repair(long number, long first, long repairEnd, long nowNanos, MemorySegment packet) {
    long from = Math.max(first, first());
    long to = Math.min(repairEnd, from + shape.window());
    NavigableSet<Long> gaps = missing.subSet(from, true, Math.max(from, to), false);
    if (to - from == gaps.size()) {
      return 0;
    }
    int key = (int) (number & WindowCode.MAX_KEY);
    if (gaps.isEmpty()) {
      return seeded(key, number, from, to, nowNanos, packet);
    }
    int count = (int) (to - from);
    WindowVector vector = recoder.repairKnown(key, from, count, coefficients, symbol);
    int bytes =
        LivePacket.writeRepair(
            packet,
            nowNanos,
            number,
            vector.first(),
            (int) vector.coefficients().byteSize(),
            vector.coefficients(),
            symbol);
    if (bytes > 0) {
      return bytes;
    }
    // The vector is too long for the packet: combine a run of known sources, each in its turn.
    long at = from + Math.floorMod(number * STRIDE, count);
    Long before = gaps.floor(at);
    Long behind = gaps.higher(at);
    long runFirst = before == null ? from : before + 1;
    long runEnd = behind == null ? to : behind;
    return seeded(key, number, runFirst, runEnd, nowNanos, packet);
  }

  /** Writes a repair of sources that are all known; 0 if there are none. */
  private int seeded(
      int key, long number, long from, long to, long nowNanos, MemorySegment packet) {
    if (from >= to) {
      return 0;
    }
    int count = (int) (to - from);
    Repair _ = recoder.repair(key, from, count, symbol);
    return LivePacket.writeRepair(
        packet, nowNanos, number, from, count, MemorySegment.NULL, symbol);
  }

  @Override
  public int lacking(long first, long to) {
    return first >= to ? 0 : missing.subSet(first, to).size();
  }

  @Override
  public void release(long firstWanted) {
    recoder.acknowledge(Math.min(firstWanted, end));
    forget(firstWanted);
  }

  @Override
  public void close() {
    recoder.close();
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
