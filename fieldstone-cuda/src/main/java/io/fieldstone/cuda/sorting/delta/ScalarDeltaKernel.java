package io.fieldstone.cuda.sorting.delta;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/** Unpacks key by key. */
final class ScalarDeltaKernel implements DeltaKernel {

  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  private static final int ROW = DeltaKernel.ROW_BYTES;

  @Override
  public void unpackInts(long rows, int width, KeyCode code, long keys) {
    int mask = (int) mask(width);
    for (int column = 0; column < ROW; column += Integer.BYTES) {
      int rank = ALL.get(JAVA_INT_UNALIGNED, rows + column);
      for (int row = 0; row < ROWS; row++) {
        int bit = row * width;
        long word = rows + ROW + (long) bit / Integer.SIZE * ROW + column;
        int low = ALL.get(JAVA_INT_UNALIGNED, word) >>> bit;
        // Shifted twice, because a shift by all bits is none.
        int high = ALL.get(JAVA_INT_UNALIGNED, word + ROW) << 1 << ~bit;
        rank += (low | high) & mask;
        ALL.set(JAVA_INT_UNALIGNED, keys + (long) row * ROW + column, code.key(rank));
      }
    }
  }

  @Override
  public void unpackLongs(long rows, int width, KeyCode code, long keys) {
    long mask = mask(width);
    for (int column = 0; column < ROW; column += Long.BYTES) {
      long rank = ALL.get(JAVA_LONG_UNALIGNED, rows + column);
      for (int row = 0; row < ROWS; row++) {
        int bit = row * width;
        long word = rows + ROW + (long) bit / Long.SIZE * ROW + column;
        long low = ALL.get(JAVA_LONG_UNALIGNED, word) >>> bit;
        long high = ALL.get(JAVA_LONG_UNALIGNED, word + ROW) << 1 << ~bit;
        rank += (low | high) & mask;
        ALL.set(JAVA_LONG_UNALIGNED, keys + (long) row * ROW + column, code.key(rank));
      }
    }
  }

  private static long mask(int width) {
    return (1L << width) - 1;
  }
}
