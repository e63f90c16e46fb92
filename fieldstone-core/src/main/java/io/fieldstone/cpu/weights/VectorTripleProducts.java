package io.fieldstone.cpu.weights;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static jdk.incubator.vector.VectorOperators.I2L;
import static jdk.incubator.vector.VectorOperators.S2I;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.weights.TransformSlices;
import io.fieldstone.engine.weights.TripleProducts;
import io.fieldstone.engine.weights.TripleSums;
import io.fieldstone.engine.weights.WeightPreconditions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/**
 * Transforms slices in three passes over memory. The first pass widens numbers from 16 to 32 bits
 * and transforms low parts of messages that fit into L1. The second transforms levels with larger
 * distances. The third transforms the remaining levels in 64 bits, strip by strip, and sums the
 * products immediately. The 32-bit passes end where numbers could overflow.
 *
 * <p>Partial transforms of several slices are computed together and kept, up to {@value
 * #BATCH_BYTES} bytes.
 *
 * <p>The methods are synchronized, although an object is meant for one thread at a time: its loops
 * work on addresses, and misuse by a second thread must not access or free memory in use.
 */
final class VectorTripleProducts implements TripleProducts {

  /** Maximum bytes of partial transforms that are kept: half the memory of a small machine. */
  private static final long BATCH_BYTES = 4L << 30;

  private static final int CACHE_BYTES = 32 << 10;
  private static final long ALIGNMENT = 64;

  /** Numbers of a row that the second pass processes at a time: a few cache lines. */
  private static final int STRIP_INTS = 64;

  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;
  private static final VectorShape HALF = VectorShape.forBitSize(INTS.vectorBitSize() / 2);
  private static final VectorSpecies<Short> HALF_SHORTS = VectorSpecies.of(short.class, HALF);
  private static final VectorSpecies<Integer> HALF_INTS = VectorSpecies.of(int.class, HALF);
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private final TransformSlices transform;
  private final TaskPool workers;
  private final PartialTransforms partial;
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

  VectorTripleProducts(TransformSlices transform, TaskPool workers) {
    this.transform = transform;
    this.workers = workers;
    this.partial = new PartialTransforms(transform, workers);
    this.order = transform.weights().size();
    int lowBits = transform.lowBits();
    int stripBits = Integer.numberOfTrailingZeros(TripleKernel.STRIP);
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
      long max = Math.clamp(BATCH_BYTES / partial.sliceBytes(), 1, all);
      batch = memory.allocate(max * partial.sliceBytes(), ALIGNMENT);
      if (!isSmall()) {
        numbers = memory.allocate(((long) order << transform.lowBits()) * Integer.BYTES, ALIGNMENT);
      }
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

  /** Processes slices in parallel. */
  private void addSmall(int first, int end, TripleSums sums) {
    int tasks = Math.min(end - first, workers.threads());
    int points = 1 << transform.lowBits();
    workers.forEach(
        tasks,
        task -> {
          try (Arena own = Arena.ofConfined()) {
            TripleKernel kernel = new TripleKernel(order, own);
            TripleSums part = new TripleSums(order);
            long strip = own.allocate((long) points * order * Long.BYTES, ALIGNMENT).address();
            for (int slice = first + task; slice < end; slice += tasks) {
              long from = partialOf(slice);
              for (int i = 0; i < points * order; i++) {
                MEMORY.set(
                    JAVA_LONG,
                    strip + (long) i * Long.BYTES,
                    MEMORY.get(JAVA_SHORT, from + (long) i * Short.BYTES));
              }
              Butterflies.longs(strip, points, order);
              kernel.add(points, strip);
              kernel.drain(part, transform.slices().get(slice).multiplicity());
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
          long to = numbers.address() + (long) task * chunk * Integer.BYTES;
          widen(from + (long) task * chunk * Short.BYTES, to, chunk);
          Butterflies.ints(to, 1 << firstLevels, order);
        });
    if (secondLevels > 0) {
      int strips = Math.ceilDiv(chunk, STRIP_INTS);
      workers.forEach(strips << lastLevels, task -> farButterflies(task, strips, chunk));
    }
    sumProducts(slice, sums);
  }

  private static void widen(long from, long to, int count) {
    int i = 0;
    for (; i <= count - INTS.length(); i += INTS.length()) {
      ShortVector narrow =
          ShortVector.fromMemorySegment(HALF_SHORTS, MEMORY, from + (long) i * Short.BYTES, ORDER);
      ((IntVector) narrow.convertShape(S2I, INTS, 0))
          .intoMemorySegment(MEMORY, to + (long) i * Integer.BYTES, ORDER);
    }
    for (; i < count; i++) {
      MEMORY.set(
          JAVA_INT,
          to + (long) i * Integer.BYTES,
          MEMORY.get(JAVA_SHORT, from + (long) i * Short.BYTES));
    }
  }

  /** Runs the second pass on a strip of columns that fits into the cache. */
  private void farButterflies(int task, int strips, int chunk) {
    int column = task % strips * STRIP_INTS;
    int columns = Math.min(STRIP_INTS, chunk - column);
    int rows = 1 << secondLevels;
    long stride = (long) chunk * Integer.BYTES;
    long start =
        numbers.address()
            + task / strips * (stride << secondLevels)
            + (long) column * Integer.BYTES;
    try (Arena own = Arena.ofConfined()) {
      long packed = own.allocate((long) rows * columns * Integer.BYTES, ALIGNMENT).address();
      long rowBytes = (long) columns * Integer.BYTES;
      for (int row = 0; row < rows; row++) {
        MemorySegment.copy(MEMORY, start + row * stride, MEMORY, packed + row * rowBytes, rowBytes);
      }
      Butterflies.ints(packed, rows, columns);
      for (int row = 0; row < rows; row++) {
        MemorySegment.copy(MEMORY, packed + row * rowBytes, MEMORY, start + row * stride, rowBytes);
      }
    }
  }

  /** Runs the last pass on strips of adjacent numbers of each remaining row. */
  private void sumProducts(int slice, TripleSums sums) {
    int rows = 1 << lastLevels;
    int neighbours = Math.max(1, TripleKernel.STRIP >> lastLevels);
    int strips = 1 << firstLevels + secondLevels;
    strips /= neighbours;
    int count = strips;
    int tasks = Math.min(count, 4 * workers.threads());
    long rowBytes = (long) neighbours * order * Long.BYTES;
    workers.forEach(
        tasks,
        task -> {
          try (Arena own = Arena.ofConfined()) {
            TripleKernel kernel = new TripleKernel(order, own);
            long strip = own.allocate(rows * rowBytes, ALIGNMENT).address();
            for (int each = task; each < count; each += tasks) {
              load(each, neighbours, strip);
              Butterflies.longs(strip, rows, neighbours * order);
              for (int point = 0; point < rows * neighbours; point += TripleKernel.STRIP) {
                kernel.add(
                    Math.min(TripleKernel.STRIP, rows * neighbours - point),
                    strip + (long) point * order * Long.BYTES);
              }
            }
            synchronized (sums) {
              kernel.drain(sums, transform.slices().get(slice).multiplicity());
            }
          }
        });
  }

  private void load(int strip, int neighbours, long to) {
    int count = neighbours * order;
    long from = numbers.address() + (long) strip * count * Integer.BYTES;
    long stride = ((long) order << firstLevels + secondLevels) * Integer.BYTES;
    for (int row = 0; row < 1 << lastLevels; row++) {
      widenToLongs(from + row * stride, to + (long) row * count * Long.BYTES, count);
    }
  }

  private static void widenToLongs(long from, long to, int count) {
    int i = 0;
    for (; i <= count - LONGS.length(); i += LONGS.length()) {
      IntVector narrow =
          IntVector.fromMemorySegment(HALF_INTS, MEMORY, from + (long) i * Integer.BYTES, ORDER);
      ((LongVector) narrow.convertShape(I2L, LONGS, 0))
          .intoMemorySegment(MEMORY, to + (long) i * Long.BYTES, ORDER);
    }
    for (; i < count; i++) {
      MEMORY.set(
          JAVA_LONG,
          to + (long) i * Long.BYTES,
          MEMORY.get(JAVA_INT, from + (long) i * Integer.BYTES));
    }
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
