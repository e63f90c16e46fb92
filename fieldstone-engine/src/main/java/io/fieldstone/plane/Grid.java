package io.fieldstone.plane;

/**
 * A grid of square cells that covers the plane: row r and column c contain the points with r ≤ y /
 * side &lt; r + 1 and c ≤ x / side &lt; c + 1. Points at most 2R apart are in the same or in
 * adjacent cells of {@link #forRange}.
 *
 * @param side the side of a cell
 */
public record Grid(double side) {

  /** The bound of the magnitude of rows and columns, so that a key holds both. */
  private static final double MAX_CELLS = 0x1p31 - 2;

  /**
   * A bound of the rounding errors of quotients up to {@link #MAX_CELLS}, doubled, for both of two
   * points.
   */
  private static final double SLACK = 0x1p-20;

  /** The maximum range for which sides are not enlarged if coordinates are integers. */
  private static final double MAX_INTEGRAL_RANGE = 0x1p30;

  private static final int ROW_SHIFT = 32;

  /** The offset that makes columns, which may be negative, unsigned. */
  private static final long COLUMN_OFFSET = 0x8000_0000L;

  /**
   * Returns the grid for neighbours at most 2R away (the paper, III-C): sides of 2R, enlarged
   * slightly if quotients are rounded.
   *
   * @param range the range R
   * @param integral true if coordinates and range are integers of at most 30 bits; rounded
   *     quotients then never cross a boundary
   */
  public static Grid forRange(double range, boolean integral) {
    return new Grid(integral && range <= MAX_INTEGRAL_RANGE ? 2 * range : 2 * range * (1 + SLACK));
  }

  /**
   * Returns the key of the cell of a point: keys order cells by row, then by column.
   *
   * @throws IllegalArgumentException if the row or the column of the cell is out of range
   */
  public long key(double x, double y) {
    return key(index(y), index(x));
  }

  /** Returns the key of the cell in a row and a column. */
  public static long key(long row, long column) {
    return (row << ROW_SHIFT) + column + COLUMN_OFFSET;
  }

  /** Returns the row of a key. */
  public static int row(long key) {
    return (int) (key >> ROW_SHIFT);
  }

  /** Returns the column of a key. */
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
