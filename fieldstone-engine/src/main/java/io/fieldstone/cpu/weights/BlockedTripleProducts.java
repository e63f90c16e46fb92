package io.fieldstone.cpu.weights;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.weights.TransformSlices;
import io.fieldstone.engine.weights.TripleProducts;
import io.fieldstone.engine.weights.TripleSums;
import io.fieldstone.engine.weights.WeightPreconditions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Transforms slices in three passes over memory. The first pass widens numbers from 16 to 32 bits
 * and transforms low parts of messages that fit into L1. The second transforms levels with larger
 * distances. The third transforms the remaining levels in 64 bits, strip by strip, and sums the
 * products immediately. The 32-bit passes end where numbers could overflow.
 *
 * <p>Partial transforms of several slices are computed together and kept. Each batch of slices
 * computes those of all words again, or of one word of each orbit.
 *
 * <p>The methods are synchronized, although an object is meant for one thread at a time: its loops
 * work on addresses, and misuse by a second thread must not access or free memory in use.
 */
final class BlockedTripleProducts implements TripleProducts {

  /** Bytes of partial transforms that are kept: half the memory of a small machine at most. */
  private static final long MAX_BATCH_BYTES = 4L << 30;

  /** With many symmetries more save little, and cost new pages of memory. */
  private static final long MIN_BATCH_BYTES = 1L << 28;

  private static final int CACHE_BYTES = 32 << 10;
  private static final long ALIGNMENT = 64;

  /** Numbers of a row that the second pass processes at a time: a few cache lines. */
  private static final int STRIP_INTS = 64;

  private final TransformSlices transform;
  private final TaskPool workers;
  private final PartialTransforms partial;
  private final TransformKernel kernel;
  private final int order;

  /** Levels of the transform in each pass, lowest bits first. */
  private final int firstLevels;

  private final int secondLevels;
  private final int lastLevels;

  private @Nullable Arena arena = Arena.ofShared();
  private MemorySegment batch = MemorySegment.NULL;
  private MemorySegment numbers = MemorySegment.NULL;
  private int batchFirst;
  private int batchEnd;

  BlockedTripleProducts(TransformSlices transform, TransformKernel kernel, TaskPool workers) {
    this.transform = transform;
    this.workers = workers;
    this.kernel = kernel;
    this.partial = new PartialTransforms(transform, kernel, workers);
    this.order = transform.weights().size();
    int lowBits = transform.lowBits();
    int stripBits = kernel.stripBits();
    // Sums of 2^(highBits + levels) numbers of ±1 stay below 2^31.
    int intLevels = Integer.SIZE - 2 - transform.highBits();
    this.lastLevels =
        lowBits <= stripBits ? lowBits : Math.max(stripBits / 2 + 1, lowBits - intLevels);
    int cacheRows = Math.max(1, CACHE_BYTES / (Math.max(1, order) * Integer.BYTES));
    this.firstLevels =
        Math.min(lowBits - lastLevels, Integer.SIZE - 1 - Integer.numberOfLeadingZeros(cacheRows));
    this.secondLevels = lowBits - lastLevels - firstLevels;
  }

  @Override
  public synchronized void add(int first, int count, TripleSums sums) {
    WeightPreconditions.requireSlices(transform, first, count, sums);
    if (order == 0) {
      return;
    }
    for (int slice = first; slice < first + count; ) {
      prepare(slice);
      int end = Math.min(first + count, batchEnd);
      if (isSmall()) {
        addSmall(slice, end, sums);
      } else {
        for (int each = slice; each < end; each++) {
          addLarge(each, sums);
        }
      }
      slice = end;
    }
  }

  /** Computes the partial transforms of a slice and the following ones, if not present. */
  private void prepare(int slice) {
    Arena memory = arena;
    if (memory == null) {
      throw new IllegalStateException("the transform is closed");
    }
    if (slice >= batchFirst && slice < batchEnd) {
      return;
    }
    int all = transform.slices().size();
    if (batch.byteSize() == 0) {
      long bytes = Math.max(MIN_BATCH_BYTES, MAX_BATCH_BYTES / transform.symmetries().size());
      long max = Math.clamp(bytes / partial.sliceBytes(), 1, all);
      if (!isSmall()) {
        long sliceBytes = ((long) order << transform.lowBits()) * Integer.BYTES;
        numbers = memory.allocate(sliceBytes, ALIGNMENT);
      }
      // Assigned last: if memory is short, the next call allocates again.
      batch = memory.allocate(max * partial.sliceBytes(), ALIGNMENT);
    }
    batchFirst = slice;
    batchEnd = (int) Math.min(all, slice + batch.byteSize() / partial.sliceBytes());
    partial.write(batchFirst, batchEnd - batchFirst, batch.address());
  }

  private long partialOf(int slice) {
    return batch.address() + (slice - batchFirst) * partial.sliceBytes();
  }

  /** Returns whether a slice is one strip. */
  private boolean isSmall() {
    return firstLevels + secondLevels == 0;
  }

  /** Processes slices in parallel. Numbers of a strip fit 32 bits, as all high parts do 16. */
  private void addSmall(int first, int end, TripleSums sums) {
    int tasks = Math.min(end - first, workers.threads());
    int points = 1 << transform.lowBits();
    workers.forEach(
        tasks,
        task -> {
          try (Arena own = Arena.ofConfined()) {
            TransformKernel.Triples triples = kernel.triples(order, 1, points, own);
            TripleSums part = new TripleSums(order);
            long strip = own.allocate((long) points * order * Integer.BYTES, ALIGNMENT).address();
            for (int slice = first + task; slice < end; slice += tasks) {
              kernel.transformWidened(partialOf(slice), strip, points, order);
              triples.add(strip, 0, 1);
              triples.drain(part, transform.slices().get(slice).multiplicity());
            }
            synchronized (sums) {
              sums.addMultiple(part, 1);
            }
          }
        });
  }

  private void addLarge(int slice, TripleSums sums) {
    long from = partialOf(slice);
    int chunk = order << firstLevels;
    workers.forEach(
        1 << secondLevels + lastLevels,
        task -> {
          long at = (long) task * chunk;
          kernel.transformWidened(
              from + at * Short.BYTES,
              numbers.address() + at * Integer.BYTES,
              1 << firstLevels,
              order);
        });
    if (secondLevels > 0) {
      int strips = Math.ceilDiv(chunk, STRIP_INTS);
      workers.forEach(strips << lastLevels, task -> transformFar(task, strips, chunk));
    }
    sumProducts(slice, sums);
  }

  /** Runs the second pass on a strip of columns that fits into the cache. */
  private void transformFar(int task, int strips, int chunk) {
    int column = task % strips * STRIP_INTS;
    long start = ((long) (task / strips) << secondLevels) * chunk + column;
    kernel.transformInts(
        numbers.address() + start * Integer.BYTES,
        1 << secondLevels,
        chunk,
        Math.min(STRIP_INTS, chunk - column));
  }

  /** Runs the last pass on strips of adjacent numbers of each remaining row. */
  private void sumProducts(int slice, TripleSums sums) {
    int neighbours = Math.max(1, 1 << kernel.stripBits() >> lastLevels);
    int strips = (1 << firstLevels + secondLevels) / neighbours;
    int tasks = Math.min(strips, 4 * workers.threads());
    workers.forEach(
        tasks,
        task -> {
          try (Arena own = Arena.ofConfined()) {
            TransformKernel.Triples triples =
                kernel.triples(order, 1 << lastLevels, neighbours, own);
            int from = (int) ((long) strips * task / tasks);
            int end = (int) ((long) strips * (task + 1) / tasks);
            long start = (long) from * neighbours * order;
            triples.add(
                numbers.address() + start * Integer.BYTES,
                (long) order << firstLevels + secondLevels,
                end - from);
            synchronized (sums) {
              triples.drain(sums, transform.slices().get(slice).multiplicity());
            }
          }
        });
  }

  @Override
  public synchronized void close() {
    Arena memory = arena;
    if (memory != null) {
      arena = null;
      memory.close();
    }
  }
}
