package io.fieldstone.cuda.sorting.delta;

import java.nio.ByteOrder;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Decodes one column per vector lane at a time. All lanes shift by the same amount and prefix sums
 * need no cross-lane operation, so a core decodes about as fast as it copies memory.
 */
final class VectorDeltaKernel implements DeltaKernel {

  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final int ROW = DeltaKernel.ROW_BYTES;

  /** Whether the size of a row is a multiple of the preferred vector size. */
  static boolean isSupported() {
    return INTS.length() > 1
        && LONGS.length() > 1
        && ROW % INTS.vectorByteSize() == 0
        && ROW % LONGS.vectorByteSize() == 0;
  }

  @Override
  public void decodeInts(long rows, int width, KeyCode code, long keys) {
    IntVector mask = IntVector.broadcast(INTS, (1 << width) - 1);
    IntVector flip = IntVector.broadcast(INTS, (int) code.flip());
    for (int column = 0; column < ROW; column += INTS.vectorByteSize()) {
      IntVector bitOrdered = IntVector.fromMemorySegment(INTS, MEMORY, rows + column, ORDER);
      IntVector word = IntVector.fromMemorySegment(INTS, MEMORY, rows + ROW + column, ORDER);
      long next = rows + 2 * ROW + column;
      long to = keys + column;
      for (int row = 0, bit = 0; row < ROWS; row++, bit += width) {
        if (bit == Integer.SIZE) {
          word = IntVector.fromMemorySegment(INTS, MEMORY, next, ORDER);
          next += ROW;
          bit = 0;
        }
        IntVector difference = word.lanewise(VectorOperators.LSHR, bit);
        if (bit + width > Integer.SIZE) {
          word = IntVector.fromMemorySegment(INTS, MEMORY, next, ORDER);
          next += ROW;
          difference = difference.or(word.lanewise(VectorOperators.LSHL, Integer.SIZE - bit));
          bit -= Integer.SIZE;
        }
        bitOrdered = bitOrdered.add(difference.and(mask));
        bitOrdered.lanewise(VectorOperators.XOR, flip).intoMemorySegment(MEMORY, to, ORDER);
        to += ROW;
      }
    }
    if (code.floating() != 0) {
      toFloats(keys, (int) code.sign());
    }
  }

  private static void toFloats(long keys, int sign) {
    for (long at = keys; at < keys + ROWS * ROW; at += INTS.vectorByteSize()) {
      IntVector ascending = IntVector.fromMemorySegment(INTS, MEMORY, at, ORDER);
      IntVector flipped = ascending.lanewise(VectorOperators.ASHR, Integer.SIZE - 1).not().or(sign);
      ascending.lanewise(VectorOperators.XOR, flipped).intoMemorySegment(MEMORY, at, ORDER);
    }
  }

  @Override
  public void decodeLongs(long rows, int width, KeyCode code, long keys) {
    LongVector mask = LongVector.broadcast(LONGS, (1L << width) - 1);
    LongVector flip = LongVector.broadcast(LONGS, code.flip());
    for (int column = 0; column < ROW; column += LONGS.vectorByteSize()) {
      LongVector bitOrdered = LongVector.fromMemorySegment(LONGS, MEMORY, rows + column, ORDER);
      LongVector word = LongVector.fromMemorySegment(LONGS, MEMORY, rows + ROW + column, ORDER);
      long next = rows + 2 * ROW + column;
      long to = keys + column;
      for (int row = 0, bit = 0; row < ROWS; row++, bit += width) {
        if (bit == Long.SIZE) {
          word = LongVector.fromMemorySegment(LONGS, MEMORY, next, ORDER);
          next += ROW;
          bit = 0;
        }
        LongVector difference = word.lanewise(VectorOperators.LSHR, bit);
        if (bit + width > Long.SIZE) {
          word = LongVector.fromMemorySegment(LONGS, MEMORY, next, ORDER);
          next += ROW;
          difference = difference.or(word.lanewise(VectorOperators.LSHL, Long.SIZE - bit));
          bit -= Long.SIZE;
        }
        bitOrdered = bitOrdered.add(difference.and(mask));
        bitOrdered.lanewise(VectorOperators.XOR, flip).intoMemorySegment(MEMORY, to, ORDER);
        to += ROW;
      }
    }
    if (code.floating() != 0) {
      toDoubles(keys, code.sign());
    }
  }

  private static void toDoubles(long keys, long sign) {
    for (long at = keys; at < keys + ROWS * ROW; at += LONGS.vectorByteSize()) {
      LongVector ascending = LongVector.fromMemorySegment(LONGS, MEMORY, at, ORDER);
      LongVector flipped = ascending.lanewise(VectorOperators.ASHR, Long.SIZE - 1).not().or(sign);
      ascending.lanewise(VectorOperators.XOR, flipped).intoMemorySegment(MEMORY, at, ORDER);
    }
  }
}
