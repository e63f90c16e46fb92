package io.fieldstone.cpu.weights;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.weights.TransformSlices;
import io.fieldstone.engine.weights.TransformSlices.Symmetry;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Computes Σ (−1)^(s·h) [wt c(h, m) = a] over all high parts h, for some slices and all low parts m
 * of messages, where s is the functional of a slice. One transform over the high parts gives all
 * slices. Of an orbit of low parts under the symmetries only one is transformed: a symmetry A gives
 * the numbers of Am at s from those of m at Aᵀs.
 *
 * <p>Numbers have 16 bits; those of one slice and low part are contiguous.
 */
final class PartialTransforms {

  private static final int TABLE_BITS = 8;
  private static final int TABLE_SIZE = 1 << TABLE_BITS;
  private static final int MAX_LONGS = 4;

  /** Low parts of a task, if orbits are not used. */
  private static final int TASK_ROWS = 1 << 12;

  private final TransformSlices transform;
  private final TransformKernel kernel;
  private final TaskPool workers;
  private final int order;
  private final int highRows;
  private final long[] highBasis;

  /** Sums of basis words for every value of each 8 bits of a low part. */
  private final long[][] lowWords;

  /** Index of each weight in the list of weights, or −1. */
  private final int[] places;

  /** For each symmetry, the images of every value of each 8 bits of a low part. */
  private final int[][] lowMaps;

  /** One low part of each orbit; empty if all orbits have one element. */
  private final int[] representatives;

  PartialTransforms(TransformSlices transform, TransformKernel kernel, TaskPool workers) {
    this.transform = transform;
    this.kernel = kernel;
    this.workers = workers;
    this.order = transform.weights().size();
    this.highRows = 1 << transform.highBits();
    PlainWords basis = PlainWords.of(transform.basis());
    this.highBasis = new long[transform.highBits() * MAX_LONGS];
    for (int row = 0; row < transform.highBits(); row++) {
      System.arraycopy(basis.copy(row), 0, highBasis, row * MAX_LONGS, basis.longs());
    }
    this.lowWords = lowWords(basis);
    this.places = new int[transform.basis().length() + 1];
    Arrays.fill(places, -1);
    for (int place = 0; place < order; place++) {
      places[transform.weights().get(place)] = place;
    }
    List<Symmetry> symmetries = transform.symmetries();
    this.lowMaps = symmetries.stream().map(Symmetry::low).map(this::tables).toArray(int[][]::new);
    this.representatives = symmetries.size() == 1 ? new int[0] : representatives();
  }

  private long[][] lowWords(PlainWords basis) {
    int lowBits = transform.lowBits();
    long[][] tables = new long[Math.ceilDiv(lowBits, TABLE_BITS)][TABLE_SIZE * MAX_LONGS];
    for (int table = 0; table < tables.length; table++) {
      int first = table * TABLE_BITS;
      for (int value = 1; value < 1 << Math.min(TABLE_BITS, lowBits - first); value++) {
        int row = transform.highBits() + first + Integer.numberOfTrailingZeros(value);
        for (int part = 0; part < basis.longs(); part++) {
          tables[table][value * MAX_LONGS + part] =
              tables[table][(value & (value - 1)) * MAX_LONGS + part] ^ basis.get(row, part);
        }
      }
    }
    return tables;
  }

  private int[] tables(List<Integer> images) {
    int count = Math.ceilDiv(images.size(), TABLE_BITS);
    int[] tables = new int[count * TABLE_SIZE];
    for (int bit = 0; bit < images.size(); bit++) {
      int table = bit / TABLE_BITS * TABLE_SIZE;
      int value = 1 << bit % TABLE_BITS;
      for (int below = 0; below < value; below++) {
        tables[table + value + below] = tables[table + below] ^ images.get(bit);
      }
    }
    return tables;
  }

  private static int image(int[] tables, int low) {
    int image = 0;
    int rest = low;
    for (int table = 0; table < tables.length; table += TABLE_SIZE) {
      image ^= tables[table + (rest & TABLE_SIZE - 1)];
      rest >>>= TABLE_BITS;
    }
    return image;
  }

  private int[] representatives() {
    int lowRows = 1 << transform.lowBits();
    BitSet seen = new BitSet(lowRows);
    int[] found = new int[16];
    int count = 0;
    for (int low = seen.nextClearBit(0); low < lowRows; low = seen.nextClearBit(low)) {
      for (int[] map : lowMaps) {
        seen.set(image(map, low));
      }
      if (count == found.length) {
        found = Arrays.copyOf(found, 2 * count);
      }
      found[count++] = low;
    }
    return Arrays.copyOf(found, count);
  }

  /** Returns the bytes of one slice. */
  long sliceBytes() {
    return (long) order * Short.BYTES << transform.lowBits();
  }

  /**
   * Writes slices.
   *
   * @param address address of {@code count} times {@link #sliceBytes} bytes
   */
  void write(int first, int count, long address) {
    int[][] sources = sources(first, count);
    boolean byOrbits = representatives.length > 0;
    int rows = byOrbits ? representatives.length : 1 << transform.lowBits();
    int rowsPerTask = byOrbits ? 1 + rows / (16 * workers.threads()) : TASK_ROWS;
    workers.forEach(
        Math.ceilDiv(rows, rowsPerTask),
        task -> {
          int end = (int) Math.min(rows, (task + 1L) * rowsPerTask);
          try (Arena arena = Arena.ofConfined()) {
            long partial = arena.allocate((long) highRows * order * Short.BYTES + 64, 64).address();
            for (int row = task * rowsPerTask; row < end; row++) {
              int low = byOrbits ? representatives[row] : row;
              transformHigh(low, partial);
              spread(low, partial, sources, address);
            }
          }
        });
  }

  /**
   * Returns, for each symmetry and slice, the index of the numbers of the image in the transform.
   */
  private int[][] sources(int first, int count) {
    return transform.symmetries().stream()
        .map(symmetry ->
            transform.slices().subList(first, first + count).stream()
                .mapToInt(slice -> symmetry.transposed(slice.functional()))
                .toArray())
        .toArray(int[][]::new);
  }

  private void transformHigh(int low, long partial) {
    MEMORY.asSlice(partial, (long) highRows * order * Short.BYTES).fill((byte) 0);
    long w0 = 0;
    long w1 = 0;
    long w2 = 0;
    long w3 = 0;
    for (int table = 0; table < lowWords.length; table++) {
      int at = (low >>> table * TABLE_BITS & TABLE_SIZE - 1) * MAX_LONGS;
      w0 ^= lowWords[table][at];
      w1 ^= lowWords[table][at + 1];
      w2 ^= lowWords[table][at + 2];
      w3 ^= lowWords[table][at + 3];
    }
    int high = 0;
    for (int step = 1; ; step++) {
      int place =
          places[Long.bitCount(w0) + Long.bitCount(w1) + Long.bitCount(w2) + Long.bitCount(w3)];
      if (place >= 0) {
        MEMORY.set(JAVA_SHORT, partial + ((long) high * order + place) * Short.BYTES, (short) 1);
      }
      if (step == highRows) {
        break;
      }
      int bit = Integer.numberOfTrailingZeros(step);
      high ^= 1 << bit;
      w0 ^= highBasis[bit * MAX_LONGS];
      w1 ^= highBasis[bit * MAX_LONGS + 1];
      w2 ^= highBasis[bit * MAX_LONGS + 2];
      w3 ^= highBasis[bit * MAX_LONGS + 3];
    }
    kernel.transformShorts(partial, highRows, order);
  }

  private void spread(int low, long partial, int[][] sources, long address) {
    long rowBytes = (long) order * Short.BYTES;
    long sliceBytes = sliceBytes();
    for (int symmetry = 0; symmetry < lowMaps.length; symmetry++) {
      long to = address + image(lowMaps[symmetry], low) * rowBytes;
      for (int source : sources[symmetry]) {
        copy(partial + source * rowBytes, to, rowBytes);
        to += sliceBytes;
      }
    }
  }

  /** Copies eight bytes at a time; the last eight overlap if fewer are left. */
  private static void copy(long from, long to, long bytes) {
    if (bytes < Long.BYTES) {
      for (long at = 0; at < bytes; at += Short.BYTES) {
        MEMORY.set(JAVA_SHORT, to + at, MEMORY.get(JAVA_SHORT, from + at));
      }
      return;
    }
    long last = bytes - Long.BYTES;
    for (long at = 0; at < last; at += Long.BYTES) {
      MEMORY.set(JAVA_LONG_UNALIGNED, to + at, MEMORY.get(JAVA_LONG_UNALIGNED, from + at));
    }
    MEMORY.set(JAVA_LONG_UNALIGNED, to + last, MEMORY.get(JAVA_LONG_UNALIGNED, from + last));
  }
}
