package io.fieldstone.cuda.weights;

import java.util.ArrayList;
import java.util.List;

/** The pairs of a range of left words with a range of right words. */
public record PairRectangle(long firstLeft, long countLeft, long firstRight, long countRight) {

  /** Kernels count the pairs of a left word in 32-bit counters. */
  private static final long MAX_COLUMNS = 1L << 31;

  /** Cuts this into rectangles of at most {@code maxPairs}, of whole rows if they fit. */
  public List<PairRectangle> cut(long maxPairs) {
    List<PairRectangle> parts = new ArrayList<>();
    if (countRight == 0) {
      return parts;
    }
    long width = Math.min(countRight, Math.min(maxPairs, MAX_COLUMNS));
    long height = Math.max(1, maxPairs / width);
    for (long row = 0; row < countLeft; row += height) {
      long rows = Math.min(height, countLeft - row);
      for (long column = 0; column < countRight; column += width) {
        long columns = Math.min(width, countRight - column);
        parts.add(new PairRectangle(firstLeft + row, rows, firstRight + column, columns));
      }
    }
    return parts;
  }
}
