package io.fieldstone.plane;

/**
 * Square cells that cover the plane: row r and column c hold the points with r ≤ y / side &lt; r +
 * 1 and c ≤ x / side &lt; c + 1. Points at most 2R apart are in the same or in adjacent cells of
 * {@link #forRange}.
 *
 * @param side of a cell
 */
public record Grid(double side) {

  /** Rows and columns lie between this and its negative, so that keys have room for both. */
  private static final double MAX_CELLS = 0x1p31 - 2;

  /**
   * What a quotient of {@link #MAX_CELLS} at most may lose when it is rounded, doubled, and twice
   * that for both points.
   */
  private static final double SLACK = 0x1p-20;

  /** The widest range whose cells' sides are kept as they are where coordinates are integers. */
  private static final double WHOLE = 0x1p30;

  private static final int ROW_SHIFT = 32;

  /** Makes columns, which may be negative, unsigned. */
  private static final long COLUMN_OFFSET = 0x8000_0000L;

  /**
   * The grid for neighbours at most 2R away (the paper, III-C): sides of 2R, a little more where
   * quotients are rounded.
   *
   * @param range R
   * @param whole whether coordinates and range are integers of at most 30 bits; then no quotient is
   *     rounded across a boundary
   */
  public static Grid forRange(double range, boolean whole) {
    return new Grid(whole && range <= WHOLE ? 2 * range : 2 * range * (1 + SLACK));
  }

  /**
   * Where a cell stands in the order of rows, within a row in that of columns.
   *
   * @throws IllegalArgumentException if it is more cells from the origin than there are numbers for
   */
  public long key(double x, double y) {
    return key(index(y), index(x));
  }

  /** Where the cell of a row and a column stands. */
  public static long key(long row, long column) {
    return (row << ROW_SHIFT) + column + COLUMN_OFFSET;
  }

  /** The row of a key. */
  public static int row(long key) {
    return (int) (key >> ROW_SHIFT);
  }

  /** The column of a key. */
  public static int column(long key) {
    return (int) ((key & 0xFFFF_FFFFL) - COLUMN_OFFSET);
  }

  private long index(double coordinate) {
    double index = Math.floor(coordinate / side);
    if (!(Math.abs(index) <= MAX_CELLS)) {
      throw new IllegalArgumentException(
          "coordinate %s is more than %.0f cells of %s from 0"
              .formatted(coordinate, MAX_CELLS, side));
    }
    return (long) index;
  }
}
