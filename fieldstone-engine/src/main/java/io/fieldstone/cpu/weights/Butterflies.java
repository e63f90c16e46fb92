package io.fieldstone.cpu.weights;

import static io.fieldstone.cpu.execution.Rows.MEMORY;

import java.nio.ByteOrder;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * In-place Walsh–Hadamard transforms of the columns of a matrix of integers: rows i and i + h
 * become their sum and difference, for h = 1, 2, 4, … Rows are contiguous, so h rows are one run of
 * numbers, and vectors can cross row boundaries.
 *
 * <p>The three methods are equal except for the width of numbers, for speed: the package says why.
 */
final class Butterflies {

  private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private Butterflies() {}

  /** Transforms {@code rows} rows, a power of two, of {@code columns} 16-bit numbers. */
  static void shorts(long address, int rows, int columns) {
    for (int half = 1; half < rows; half *= 2) {
      int run = half * columns;
      for (int row = 0; row < rows; row += 2 * half) {
        shorts(address + (long) row * columns * Short.BYTES, run);
      }
    }
  }

  private static void shorts(long address, int run) {
    long other = address + (long) run * Short.BYTES;
    int i = 0;
    for (; i <= run - SHORTS.length(); i += SHORTS.length()) {
      long at = (long) i * Short.BYTES;
      ShortVector x = ShortVector.fromMemorySegment(SHORTS, MEMORY, address + at, ORDER);
      ShortVector y = ShortVector.fromMemorySegment(SHORTS, MEMORY, other + at, ORDER);
      x.add(y).intoMemorySegment(MEMORY, address + at, ORDER);
      x.sub(y).intoMemorySegment(MEMORY, other + at, ORDER);
    }
    if (i < run) {
      long at = (long) i * Short.BYTES;
      VectorMask<Short> rest = SHORTS.indexInRange(i, run);
      ShortVector x = ShortVector.fromMemorySegment(SHORTS, MEMORY, address + at, ORDER, rest);
      ShortVector y = ShortVector.fromMemorySegment(SHORTS, MEMORY, other + at, ORDER, rest);
      x.add(y).intoMemorySegment(MEMORY, address + at, ORDER, rest);
      x.sub(y).intoMemorySegment(MEMORY, other + at, ORDER, rest);
    }
  }

  /** As {@link #shorts(long, int, int)}, for 32-bit numbers. */
  static void ints(long address, int rows, int columns) {
    for (int half = 1; half < rows; half *= 2) {
      int run = half * columns;
      for (int row = 0; row < rows; row += 2 * half) {
        ints(address + (long) row * columns * Integer.BYTES, run);
      }
    }
  }

  private static void ints(long address, int run) {
    long other = address + (long) run * Integer.BYTES;
    int i = 0;
    for (; i <= run - INTS.length(); i += INTS.length()) {
      long at = (long) i * Integer.BYTES;
      IntVector x = IntVector.fromMemorySegment(INTS, MEMORY, address + at, ORDER);
      IntVector y = IntVector.fromMemorySegment(INTS, MEMORY, other + at, ORDER);
      x.add(y).intoMemorySegment(MEMORY, address + at, ORDER);
      x.sub(y).intoMemorySegment(MEMORY, other + at, ORDER);
    }
    if (i < run) {
      long at = (long) i * Integer.BYTES;
      VectorMask<Integer> rest = INTS.indexInRange(i, run);
      IntVector x = IntVector.fromMemorySegment(INTS, MEMORY, address + at, ORDER, rest);
      IntVector y = IntVector.fromMemorySegment(INTS, MEMORY, other + at, ORDER, rest);
      x.add(y).intoMemorySegment(MEMORY, address + at, ORDER, rest);
      x.sub(y).intoMemorySegment(MEMORY, other + at, ORDER, rest);
    }
  }

  /** As {@link #shorts(long, int, int)}, for 64-bit numbers. */
  static void longs(long address, int rows, int columns) {
    for (int half = 1; half < rows; half *= 2) {
      int run = half * columns;
      for (int row = 0; row < rows; row += 2 * half) {
        longs(address + (long) row * columns * Long.BYTES, run);
      }
    }
  }

  private static void longs(long address, int run) {
    long other = address + (long) run * Long.BYTES;
    int i = 0;
    for (; i <= run - LONGS.length(); i += LONGS.length()) {
      long at = (long) i * Long.BYTES;
      LongVector x = LongVector.fromMemorySegment(LONGS, MEMORY, address + at, ORDER);
      LongVector y = LongVector.fromMemorySegment(LONGS, MEMORY, other + at, ORDER);
      x.add(y).intoMemorySegment(MEMORY, address + at, ORDER);
      x.sub(y).intoMemorySegment(MEMORY, other + at, ORDER);
    }
    if (i < run) {
      long at = (long) i * Long.BYTES;
      VectorMask<Long> rest = LONGS.indexInRange(i, run);
      LongVector x = LongVector.fromMemorySegment(LONGS, MEMORY, address + at, ORDER, rest);
      LongVector y = LongVector.fromMemorySegment(LONGS, MEMORY, other + at, ORDER, rest);
      x.add(y).intoMemorySegment(MEMORY, address + at, ORDER, rest);
      x.sub(y).intoMemorySegment(MEMORY, other + at, ORDER, rest);
    }
  }
}
