package io.fieldstone.hybrid;

import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.memory.HostMemory;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Records which parts hold current copies of which resident matrices. Stored matrices are on every
 * part; a result is on the part that computed it until another needs it. Thread-safe.
 *
 * <p>A copy between parts is a download and an upload through host memory. Results that are only
 * read by the host are not copied.
 */
final class ResidencyMap implements AutoCloseable {

  /** Bytes copied at a time, or one matrix if that is larger. */
  private static final long COPY_BYTES = 16 << 20;

  private final List<ResidentBlocks> blocks;
  private final LongFunction<HostMemory> hostMemory;

  /** For each part, the matrices that are stale there. */
  private final List<BitSet> staleMatrices;

  private @Nullable HostMemory copy;

  /**
   * Makes a map in which all parts hold all matrices.
   *
   * @param blocks blocks of each part
   * @param hostMemory allocates the staging memory of copies
   */
  ResidencyMap(List<ResidentBlocks> blocks, LongFunction<HostMemory> hostMemory) {
    this.blocks = blocks;
    this.hostMemory = hostMemory;
    this.staleMatrices = blocks.stream().map(_ -> new BitSet()).toList();
  }

  /** Copies matrices {@code first} … {@code first + count − 1} to a part, where they are stale. */
  synchronized void copyTo(int part, long first, long count) {
    if (staleMatrices.get(part).isEmpty()) {
      return;
    }
    long end = first + count;
    for (long from = first; from < end; ) {
      int holder = holder(from);
      long to = endOfRun(from, end);
      if (isStale(part, from)) {
        copy(blocks.get(holder), blocks.get(part), from, to);
        staleMatrices.get(part).clear((int) from, (int) to);
      }
      from = to;
    }
  }

  /** Records that a part has computed matrices; those of all other parts are stale. */
  synchronized void markComputed(int part, long first, long count) {
    int from = Math.toIntExact(first);
    int to = Math.toIntExact(first + count);
    for (int other = 0; other < blocks.size(); other++) {
      staleMatrices.get(other).set(from, to, other != part);
    }
  }

  /** Records that matrices have been stored on every part. */
  synchronized void markStored(long first, long count) {
    for (BitSet stale : staleMatrices) {
      if (first < stale.length()) {
        stale.clear((int) first, (int) Math.min(first + count, stale.length()));
      }
    }
  }

  /** Returns the first part that holds a matrix. */
  synchronized int holder(long matrix) {
    int part = 0;
    while (isStale(part, matrix)) {
      part++;
    }
    return part;
  }

  /**
   * Returns the end, at most {@code end}, of the run from {@code from} on that the same parts hold.
   */
  synchronized long endOfRun(long from, long end) {
    long runEnd = end;
    for (BitSet stale : staleMatrices) {
      if (from < stale.length()) {
        int at = (int) from;
        // A set is clear after its last bit, so one of the two is always found.
        int change = stale.get(at) ? stale.nextClearBit(at) : stale.nextSetBit(at);
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

  private boolean isStale(int part, long matrix) {
    BitSet stale = staleMatrices.get(part);
    return matrix < stale.length() && stale.get((int) matrix);
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
