package io.fieldstone.weights.distance;

import io.fieldstone.field.Gf2Matrix;
import java.util.ArrayList;
import java.util.List;

/** The oracle of {@link CosetWeights}: each syndrome is reached once, and left by each column. */
final class ScalarCosets {

  private ScalarCosets() {}

  /**
   * Returns the number of cosets whose least weight is 0, 1, ….
   *
   * @param checks at most 30 independent rows
   */
  static List<Long> counts(Gf2Matrix checks) {
    int[] columns = new int[checks.columns()];
    for (int column = 0; column < columns.length; column++) {
      for (int row = 0; row < checks.rows(); row++) {
        columns[column] |= checks.get(row, column) << row;
      }
    }
    int[] reached = new int[1 << checks.rows()];
    boolean[] isReached = new boolean[1 << checks.rows()];
    isReached[0] = true;
    int start = 0;
    int end = 1;
    List<Long> counts = new ArrayList<>();
    while (start < end) {
      counts.add((long) end - start);
      int last = end;
      while (start < last) {
        int syndrome = reached[start++];
        for (int column : columns) {
          if (!isReached[syndrome ^ column]) {
            isReached[syndrome ^ column] = true;
            reached[end++] = syndrome ^ column;
          }
        }
      }
    }
    return counts;
  }
}
