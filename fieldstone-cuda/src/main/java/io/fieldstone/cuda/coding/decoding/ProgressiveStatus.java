package io.fieldstone.cuda.coding.decoding;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * What is known on the host of a system that is eliminated on the GPU: {@code struct
 * ProgressiveStatus} and its bitmaps, as the last block that was taken left them. For one thread at
 * a time.
 */
final class ProgressiveStatus {

  private static final long INNOVATIVE = 0;
  private static final long RANK = 8;
  private static final long SOLVED = 12;
  private static final long BITMAPS = 24;

  private final int n;
  private final int words;

  /** Pivots held, then source blocks solved. */
  private final int[] bitmaps;

  private int rank;
  private int solved;

  /** Of a system of n blocks, none of which is held. */
  ProgressiveStatus(int n) {
    this.n = n;
    this.words = Math.ceilDiv(n, Integer.SIZE);
    this.bitmaps = new int[2 * words];
  }

  /** Size of what the kernel writes. */
  long bytes() {
    return BITMAPS + (long) bitmaps.length * Integer.BYTES;
  }

  /** Whether the block was innovative that the kernel wrote of. */
  static boolean isInnovative(MemorySegment written) {
    return written.get(JAVA_INT, INNOVATIVE) != 0;
  }

  /** Takes over what the kernel wrote of a block that it took. */
  void update(MemorySegment written) {
    rank = written.get(JAVA_INT, RANK);
    solved = written.get(JAVA_INT, SOLVED);
    MemorySegment.copy(written, JAVA_INT, BITMAPS, bitmaps, 0, bitmaps.length);
  }

  void clear() {
    rank = 0;
    solved = 0;
    Arrays.fill(bitmaps, 0);
  }

  int rank() {
    return rank;
  }

  int solved() {
    return solved;
  }

  boolean isSolved(int source) {
    return (bitmaps[words + source / Integer.SIZE] >>> source % Integer.SIZE & 1) != 0;
  }

  /**
   * A column where a vector is likely to have a pivot: one in which it is not zero, and no pivot is
   * held; if there is none, any without a pivot.
   *
   * @param vector n coefficients
   * @return 0 if there is no column without a pivot
   */
  int hint(MemorySegment vector) {
    int free = 0;
    for (int word = 0; word < words; word++) {
      for (int rest = ~bitmaps[word]; rest != 0; rest &= rest - 1) {
        int column = word * Integer.SIZE + Integer.numberOfTrailingZeros(rest);
        if (column >= n) {
          return free;
        }
        if (vector.get(JAVA_BYTE, column) != 0) {
          return column;
        }
        free = column;
      }
    }
    return free;
  }
}
