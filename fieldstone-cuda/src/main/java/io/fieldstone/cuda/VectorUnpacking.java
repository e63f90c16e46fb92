package io.fieldstone.cuda;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Unpacks as many columns at a time as a vector has: all are shifted alike, and rows add up without
 * looking aside, so that a core is about as fast as it copies memory.
 */
final class VectorUnpacking implements UnpackKernel {

  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  private static final int ROW = SortKernels.ROW_BYTES;

  /** Whether vectors of this machine divide rows. */
  static boolean isSupported() {
    return INTS.length() > 1
        && LONGS.length() > 1
        && ROW % INTS.vectorByteSize() == 0
        && ROW % LONGS.vectorByteSize() == 0;
  }

  @Override
  public void unpackInts(long rows, int width, KeyCode code, long keys) {
    IntVector mask = IntVector.broadcast(INTS, (1 << width) - 1);
    IntVector direction = IntVector.broadcast(INTS, (int) code.direction());
    IntVector floating = IntVector.broadcast(INTS, (int) code.floating());
    IntVector sign = IntVector.broadcast(INTS, (int) code.sign());
    for (int column = 0; column < ROW; column += INTS.vectorByteSize()) {
      IntVector rank = IntVector.fromMemorySegment(INTS, ALL, rows + column, ORDER);
      long words = rows + ROW + column;
      long to = keys + column;
      for (int row = 0, bit = 0; row < ROWS; row++, bit += width) {
        long word = words + (long) (bit / Integer.SIZE) * ROW;
        int shift = bit % Integer.SIZE;
        IntVector low =
            IntVector.fromMemorySegment(INTS, ALL, word, ORDER)
                .lanewise(VectorOperators.LSHR, shift);
        // Shifted twice, because a shift by all bits is none.
        IntVector high =
            IntVector.fromMemorySegment(INTS, ALL, word + ROW, ORDER)
                .lanewise(VectorOperators.LSHL, 1)
                .lanewise(VectorOperators.LSHL, Integer.SIZE - 1 - shift);
        rank = rank.add(low.or(high).and(mask));
        IntVector straight = rank.lanewise(VectorOperators.XOR, direction);
        IntVector flipped =
            straight.lanewise(VectorOperators.ASHR, Integer.SIZE - 1).not().and(floating).or(sign);
        straight.lanewise(VectorOperators.XOR, flipped).intoMemorySegment(ALL, to, ORDER);
        to += ROW;
      }
    }
  }

  @Override
  public void unpackLongs(long rows, int width, KeyCode code, long keys) {
    LongVector mask = LongVector.broadcast(LONGS, (1L << width) - 1);
    LongVector direction = LongVector.broadcast(LONGS, code.direction());
    LongVector floating = LongVector.broadcast(LONGS, code.floating());
    LongVector sign = LongVector.broadcast(LONGS, code.sign());
    for (int column = 0; column < ROW; column += LONGS.vectorByteSize()) {
      LongVector rank = LongVector.fromMemorySegment(LONGS, ALL, rows + column, ORDER);
      long words = rows + ROW + column;
      long to = keys + column;
      for (int row = 0, bit = 0; row < ROWS; row++, bit += width) {
        long word = words + (long) (bit / Long.SIZE) * ROW;
        int shift = bit % Long.SIZE;
        LongVector low =
            LongVector.fromMemorySegment(LONGS, ALL, word, ORDER)
                .lanewise(VectorOperators.LSHR, shift);
        LongVector high =
            LongVector.fromMemorySegment(LONGS, ALL, word + ROW, ORDER)
                .lanewise(VectorOperators.LSHL, 1)
                .lanewise(VectorOperators.LSHL, Long.SIZE - 1 - shift);
        rank = rank.add(low.or(high).and(mask));
        LongVector straight = rank.lanewise(VectorOperators.XOR, direction);
        LongVector flipped =
            straight.lanewise(VectorOperators.ASHR, Long.SIZE - 1).not().and(floating).or(sign);
        straight.lanewise(VectorOperators.XOR, flipped).intoMemorySegment(ALL, to, ORDER);
        to += ROW;
      }
    }
  }
}
