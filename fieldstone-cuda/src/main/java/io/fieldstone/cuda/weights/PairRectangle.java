package io.fieldstone.cuda.weights;

import java.util.ArrayList;
import java.util.List;

/** Left words {@code firstLeft} … with right words {@code firstRight} …, so many of each. */
public record PairRectangle(long firstLeft, long countLeft, long firstRight, long countRight) {

  /** Kernels have counters of 32 bits, and put no more pairs of a left word in one. */
  private static final long MAX_COLUMNS = 1L << 31;

  /** The same pairs in rectangles of at most so many: whole rows where they have no more. */
  public List<PairRectangle> cut(long most) {
    List<PairRectangle> parts = new ArrayList<>();
    if (countRight == 0) {
      return parts;
    }
    long width = Math.min(countRight, Math.min(most, MAX_COLUMNS));
    long height = Math.max(1, most / width);
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
