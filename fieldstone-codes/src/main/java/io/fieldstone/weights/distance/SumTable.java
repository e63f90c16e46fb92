package io.fieldstone.weights.distance;

import java.util.Arrays;

/**
 * All sums of a few rows of a table, those of rows with high numbers first: the sums of rows after
 * row j are the first ones.
 *
 * @param size the rows of a sum
 * @param sums a sum in place of a row
 */
record SumTable(int size, RowTable sums) {

  /** The maximum size of a table: what most CPUs have as cache of a core. */
  private static final double MAX_BYTES = 1 << 20;

  private static final int MAX_SIZE = 4;

  /** Returns the rows of a sum whose table is small enough, at most those given. */
  static int size(RowTable rows, int max) {
    int size = 1;
    while (size < Math.min(max, MAX_SIZE)
        && Combinations.count(rows.rows(), size + 1) * rows.parts().length * Long.BYTES
            <= MAX_BYTES) {
      size++;
    }
    return size;
  }

  static SumTable of(RowTable rows, int size) {
    int count = (int) Combinations.exact(rows.rows(), size);
    long[][] parts = new long[rows.parts().length][count];
    int[] pivots = new int[count];
    Arrays.fill(pivots, -1);
    RowTable sums = new RowTable(count, rows.counted(), parts, pivots);
    int next = 0;
    for (int first = rows.rows() - size; first >= 0; first--) {
      next = fill(rows, first, size - 1, rows.parts(), parts, next);
    }
    return new SumTable(size, sums);
  }

  /** Adds the sums of a row with all of a number of rows after it. */
  private static int fill(
      RowTable rows, int first, int more, long[][] rowParts, long[][] parts, int start) {
    int[] chosen = new int[more + 1];
    chosen[0] = first;
    for (int i = 1; i <= more; i++) {
      chosen[i] = first + i;
    }
    int next = start;
    while (true) {
      for (int part = 0; part < parts.length; part++) {
        long sum = 0;
        for (int row : chosen) {
          sum ^= rowParts[part][row];
        }
        parts[part][next] = sum;
      }
      next++;
      int last = more;
      while (last > 0 && chosen[last] == rows.rows() - 1 - (more - last)) {
        last--;
      }
      if (last == 0) {
        return next;
      }
      chosen[last]++;
      for (int i = last + 1; i <= more; i++) {
        chosen[i] = chosen[i - 1] + 1;
      }
    }
  }

  /** Returns the number of sums of rows after a row, −1 for all; they are the first sums. */
  int after(int row, int rows) {
    return (int) Combinations.exact(rows - 1 - row, size);
  }
}
