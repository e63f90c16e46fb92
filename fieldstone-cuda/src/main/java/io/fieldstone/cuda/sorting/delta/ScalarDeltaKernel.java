package io.fieldstone.cuda.sorting.delta;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/** Decodes key by key. */
final class ScalarDeltaKernel implements DeltaKernel {

  private static final int ROW = DeltaKernel.ROW_BYTES;

  @Override
  public void decodeInts(long rows, int width, KeyCode code, long keys) {
    int mask = (int) mask(width);
    for (int column = 0; column < ROW; column += Integer.BYTES) {
      int bitOrdered = MEMORY.get(JAVA_INT_UNALIGNED, rows + column);
      for (int row = 0; row < ROWS; row++) {
        int bit = row * width;
        long word = rows + ROW + (long) bit / Integer.SIZE * ROW + column;
        int low = MEMORY.get(JAVA_INT_UNALIGNED, word) >>> bit;
        // Shifted twice, because Java shifts by 32 or 64 bits leave a word unchanged.
        int high = MEMORY.get(JAVA_INT_UNALIGNED, word + ROW) << 1 << ~bit;
        bitOrdered += (low | high) & mask;
        MEMORY.set(JAVA_INT_UNALIGNED, keys + (long) row * ROW + column, code.key(bitOrdered));
      }
    }
  }

  @Override
  public void decodeLongs(long rows, int width, KeyCode code, long keys) {
    long mask = mask(width);
    for (int column = 0; column < ROW; column += Long.BYTES) {
      long bitOrdered = MEMORY.get(JAVA_LONG_UNALIGNED, rows + column);
      for (int row = 0; row < ROWS; row++) {
        int bit = row * width;
        long word = rows + ROW + (long) bit / Long.SIZE * ROW + column;
        long low = MEMORY.get(JAVA_LONG_UNALIGNED, word) >>> bit;
        long high = MEMORY.get(JAVA_LONG_UNALIGNED, word + ROW) << 1 << ~bit;
        bitOrdered += (low | high) & mask;
        MEMORY.set(JAVA_LONG_UNALIGNED, keys + (long) row * ROW + column, code.key(bitOrdered));
      }
    }
  }

  private static long mask(int width) {
    return (1L << width) - 1;
  }
}
