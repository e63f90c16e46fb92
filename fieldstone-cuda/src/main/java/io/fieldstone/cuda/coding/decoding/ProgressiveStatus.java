package io.fieldstone.cuda.coding.decoding;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The host's copy of the status of a system on the GPU, {@code struct ProgressiveStatus} with its
 * bitmaps, after the last innovative block. For one thread at a time.
 */
final class ProgressiveStatus {

  private static final long INNOVATIVE = 0;
  private static final long RANK = 8;
  private static final long SOLVED = 12;
  private static final long BITMAPS = 24;

  private final int n;
  private final int words;

  /** The pivots, then the solved source blocks. */
  private final int[] bitmaps;

  private int rank;
  private int solved;

  /** Creates the status of an empty system of n blocks. */
  ProgressiveStatus(int n) {
    this.n = n;
    this.words = Math.ceilDiv(n, Integer.SIZE);
    this.bitmaps = new int[2 * words];
  }

  /** Returns the size of the status that the kernel writes. */
  long bytes() {
    return BITMAPS + (long) bitmaps.length * Integer.BYTES;
  }

  /** Returns whether a written status is that of an innovative block. */
  static boolean isInnovative(MemorySegment written) {
    return written.get(JAVA_INT, INNOVATIVE) != 0;
  }

  /** Updates the status from that of an innovative block. */
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
   * Returns a probable pivot column of a vector: a nonzero column without a pivot, or else any
   * column without a pivot.
   *
   * @param vector the n coefficients
   * @return the column; 0 if all columns have pivots
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
