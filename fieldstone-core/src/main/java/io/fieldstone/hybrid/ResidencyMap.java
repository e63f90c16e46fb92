package io.fieldstone.hybrid;

import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.memory.HostMemory;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which parts hold which resident matrices as they are now. What is stored goes to every part; a
 * result stays where it was made until another part needs it. Thread-safe.
 *
 * <p>Such a copy goes through this machine's memory once down and once up, so it costs as much as
 * the slower of the two buses gives; results that are only read are never copied.
 */
final class ResidencyMap implements AutoCloseable {

  /** Copied at a time, or one matrix if that is larger. */
  private static final long COPY_BYTES = 16 << 20;

  private final List<ResidentBlocks> blocks;
  private final LongFunction<HostMemory> hostMemory;

  /** For each part the matrices that are out of date there. */
  private final List<BitSet> missing;

  private @Nullable HostMemory copy;

  /**
   * All parts hold all matrices.
   *
   * @param blocks of each part
   * @param hostMemory allocates what copies go through
   */
  ResidencyMap(List<ResidentBlocks> blocks, LongFunction<HostMemory> hostMemory) {
    this.blocks = blocks;
    this.hostMemory = hostMemory;
    this.missing = blocks.stream().map(_ -> new BitSet()).toList();
  }

  /** Sees to it that a part holds matrices {@code first} … {@code first + count − 1}. */
  synchronized void bring(int part, long first, long count) {
    if (missing.get(part).isEmpty()) {
      return;
    }
    long end = first + count;
    for (long from = first; from < end; ) {
      int holder = holder(from);
      long to = endOfRun(from, end);
      if (isMissing(part, from)) {
        copy(blocks.get(holder), blocks.get(part), from, to);
        missing.get(part).clear((int) from, (int) to);
      }
      from = to;
    }
  }

  /** A part has made these matrices anew, so it alone holds them. */
  synchronized void made(int part, long first, long count) {
    int from = Math.toIntExact(first);
    int to = Math.toIntExact(first + count);
    for (int other = 0; other < blocks.size(); other++) {
      missing.get(other).set(from, to, other != part);
    }
  }

  /** Every part has been given these matrices. */
  synchronized void stored(long first, long count) {
    for (BitSet absent : missing) {
      if (first < absent.length()) {
        absent.clear((int) first, (int) Math.min(first + count, absent.length()));
      }
    }
  }

  /** The first part that holds a matrix. */
  synchronized int holder(long matrix) {
    int part = 0;
    while (isMissing(part, matrix)) {
      part++;
    }
    return part;
  }

  /** How far, at most to {@code end}, matrices from {@code from} on are held by the same parts. */
  synchronized long endOfRun(long from, long end) {
    long runEnd = end;
    for (BitSet absent : missing) {
      if (from < absent.length()) {
        int at = (int) from;
        // Beyond its last absent matrix a set is clear, so one of the two is always found.
        int change = absent.get(at) ? absent.nextClearBit(at) : absent.nextSetBit(at);
        runEnd = Math.min(runEnd, change);
      }
    }
    return runEnd;
  }

  @Override
  public synchronized void close() {
    if (copy != null) {
      copy.close();
      copy = null;
    }
  }

  private boolean isMissing(int part, long matrix) {
    BitSet absent = missing.get(part);
    return matrix < absent.length() && absent.get((int) matrix);
  }

  private void copy(ResidentBlocks from, ResidentBlocks to, long first, long end) {
    long matrixBytes = (long) from.rows() * from.columns();
    long atOnce = Math.clamp(COPY_BYTES / Math.max(1, matrixBytes), 1, from.count());
    if (copy == null) {
      copy = hostMemory.apply(atOnce * matrixBytes);
    }
    for (long at = first; at < end; at += atOnce) {
      long count = Math.min(atOnce, end - at);
      ByteMatrices matrices =
          ByteMatrices.packed(copy.segment(), count, from.rows(), from.columns());
      from.read(at, matrices);
      to.store(at, matrices);
    }
  }
}
