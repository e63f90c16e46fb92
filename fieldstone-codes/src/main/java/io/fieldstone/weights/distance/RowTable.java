package io.fieldstone.weights.distance;

import java.util.Arrays;
import java.util.List;

/**
 * Words and their labels by 64-bit parts: part p of row r is {@code parts[p][r]}. So one loop works
 * on the same part of many rows. For one thread.
 */
final class RowTable {

  private final int rows;
  private final int counted;
  private final long[][] parts;

  /** The column of each row that no other row has; −1 if there is none yet. */
  private final int[] pivots;

  private final long[] mask;

  RowTable(int rows, int counted, long[][] parts, int[] pivots) {
    this.rows = rows;
    this.counted = counted;
    this.parts = parts;
    this.pivots = pivots;
    this.mask = new long[rows];
  }

  static RowTable of(int wordParts, int labelParts, List<long[]> words, List<long[]> labels) {
    int rows = words.size();
    long[][] parts = new long[wordParts + labelParts][rows];
    for (int row = 0; row < rows; row++) {
      for (int part = 0; part < wordParts; part++) {
        parts[part][row] = words.get(row)[part];
      }
      for (int part = 0; part < labelParts; part++) {
        parts[wordParts + part][row] = labels.get(row)[part];
      }
    }
    int[] pivots = new int[rows];
    Arrays.fill(pivots, -1);
    return new RowTable(rows, wordParts, parts, pivots);
  }

  RowTable copy() {
    return new RowTable(
        rows,
        counted,
        Arrays.stream(parts).map(long[]::clone).toArray(long[][]::new),
        pivots.clone());
  }

  int rows() {
    return rows;
  }

  /** Returns the parts of the words; those of labels follow. */
  int counted() {
    return counted;
  }

  long[][] parts() {
    return parts;
  }

  /** Returns the columns of the information set, that of each row. */
  int[] pivots() {
    return pivots.clone();
  }

  /**
   * Makes the first independent columns of an order the information set: row i is then the only one
   * with a one in its column. Depends on the order only, but for the order of the rows.
   *
   * @param order all columns
   * @param place the index of each column in the order
   */
  void reduce(int[] order, int[] place) {
    boolean[] isUsed = new boolean[rows];
    int[] owner = new int[counted * Long.SIZE];
    Arrays.fill(owner, -1);
    for (int row = 0; row < rows; row++) {
      if (pivots[row] >= 0) {
        owner[pivots[row]] = row;
      }
    }
    int left = rows;
    for (int next = 0; next < order.length && left > 0; next++) {
      int column = order[next];
      int row = owner[column];
      if (row < 0 || isUsed[row]) {
        row = rowFor(column, isUsed, place);
        if (row < 0) {
          continue;
        }
        if (pivots[row] >= 0) {
          owner[pivots[row]] = -1;
        }
        pivots[row] = column;
        owner[column] = row;
        eliminate(row, column);
      }
      isUsed[row] = true;
      left--;
    }
  }

  /** Returns an unused row with a one in a column, whose own column comes last in the order. */
  private int rowFor(int column, boolean[] isUsed, int[] place) {
    long[] part = parts[column / Long.SIZE];
    int best = -1;
    int bestPlace = -1;
    for (int row = 0; row < rows; row++) {
      if (!isUsed[row] && (part[row] >>> column & 1) == 1) {
        int own = pivots[row] < 0 ? Integer.MAX_VALUE : place[pivots[row]];
        if (own > bestPlace) {
          best = row;
          bestPlace = own;
        }
      }
    }
    return best;
  }

  private void eliminate(int pivotRow, int column) {
    long[] columnPart = parts[column / Long.SIZE];
    for (int row = 0; row < rows; row++) {
      mask[row] = -(columnPart[row] >>> column & 1);
    }
    mask[pivotRow] = 0;
    for (long[] part : parts) {
      add(part[pivotRow], mask, part);
    }
  }

  private static void add(long addend, long[] mask, long[] part) {
    if (addend != 0) {
      for (int row = 0; row < part.length; row++) {
        part[row] ^= mask[row] & addend;
      }
    }
  }
}
