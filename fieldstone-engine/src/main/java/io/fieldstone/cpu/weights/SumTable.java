package io.fieldstone.cpu.weights;

/**
 * All sums of a few rows of a table, as {@link io.fieldstone.engine.weights.Subsets} numbers them:
 * the sums of the first rows are the first ones. Thread-safe.
 *
 * @param size the rows of a sum
 * @param sums a sum in place of a row
 */
record SumTable(int size, PartTable sums) {

  /** The maximum size of the parts that a scan reads: what most CPUs have as cache of a core. */
  private static final double MAX_BYTES = 1 << 20;

  private static final int MAX_SIZE = 4;

  /**
   * Makes a table of sums.
   *
   * @param binomials C(c, i) at [i][c]
   * @param size the rows of a sum at most
   * @param sums the sums that it will be used for, at least as many as those of the table
   * @param scanned the parts that scans read
   */
  static SumTable of(PartTable rows, long[][] binomials, int size, long sums, int scanned) {
    int few = 1;
    while (few < Math.min(size, MAX_SIZE)
        && binomials[few + 1][rows.rows()] <= sums
        && (double) binomials[few + 1][rows.rows()] * scanned * Long.BYTES <= MAX_BYTES) {
      few++;
    }
    return new SumTable(few, sums(rows, binomials, few));
  }

  private static PartTable sums(PartTable rows, long[][] binomials, int size) {
    PartTable sums = rows;
    for (int each = 2; each <= size; each++) {
      sums = withAnotherRow(rows, sums, binomials[each - 1], (int) binomials[each][rows.rows()]);
    }
    return sums;
  }

  /** Returns the sums with one more row: row j with the sums of the rows before. */
  private static PartTable withAnotherRow(
      PartTable rows, PartTable sums, long[] before, int count) {
    long[][] parts = new long[rows.parts().length][count];
    for (int part = 0; part < parts.length; part++) {
      int next = 0;
      for (int row = 0; row < rows.rows(); row++) {
        for (int sum = 0; sum < before[row]; sum++) {
          parts[part][next++] = rows.parts()[part][row] ^ sums.parts()[part][sum];
        }
      }
    }
    return new PartTable(parts, rows.counted(), rows.hasLabels());
  }
}
