package io.fieldstone.engine.terrain;

/**
 * Heights above the sea in metres on a grid, row by row. Heights between its points are bilinear.
 * Thread-safe.
 */
public final class HeightGrid {

  /** The height of a point without data, above all others: nothing sees across it. */
  public static final float VOID = 100_000;

  /** The maximum number of rows and of columns, at which floats still divide a cell by 128. */
  public static final int MAX_SIDE = 1 << 16;

  private static final int MIN_SIDE = 2;

  private final int rows;
  private final int columns;
  private final float[] heights;

  /**
   * Makes a grid.
   *
   * @param rows the number of rows, 2 … {@link #MAX_SIDE}
   * @param columns the number of columns, 2 … {@link #MAX_SIDE}
   * @param heights rows × columns heights, row by row; not copied, and not to be changed
   * @throws IllegalArgumentException if a dimension is out of bounds, their product is not the
   *     number of heights, or a height is not finite or exceeds {@link #VOID} in magnitude
   */
  public HeightGrid(int rows, int columns, float[] heights) {
    requireSide("rows", rows);
    requireSide("columns", columns);
    if ((long) rows * columns != heights.length) {
      throw new IllegalArgumentException(
          "%d heights for %d×%d points".formatted(heights.length, rows, columns));
    }
    for (int i = 0; i < heights.length; i++) {
      if (!(Math.abs(heights[i]) <= VOID)) {
        throw new IllegalArgumentException(
            "height %s in row %d, column %d is not between %.0f and %.0f"
                .formatted(heights[i], i / columns, i % columns, -VOID, VOID));
      }
    }
    this.rows = rows;
    this.columns = columns;
    this.heights = heights;
  }

  private static void requireSide(String name, int side) {
    if (side < MIN_SIDE || side > MAX_SIDE) {
      throw new IllegalArgumentException(
          "%d %s, not between %d and %d".formatted(side, name, MIN_SIDE, MAX_SIDE));
    }
  }

  /** Returns the number of rows. */
  public int rows() {
    return rows;
  }

  /** Returns the number of columns. */
  public int columns() {
    return columns;
  }

  /** Returns the heights, row by row: the internal array, which must not be changed. */
  public float[] heights() {
    return heights;
  }

  /** Returns the height of a point of the grid. */
  public float height(int row, int column) {
    return heights[row * columns + column];
  }

  /** Returns whether a point of the grid has no data. */
  public boolean isVoid(int row, int column) {
    return height(row, column) == VOID;
  }

  /**
   * Returns the height at a place, in single precision. Places outside the grid have the height of
   * its edge.
   */
  public float at(float row, float column) {
    float r = Math.max(0, Math.min(row, rows - 1f));
    float c = Math.max(0, Math.min(column, columns - 1f));
    int r0 = Math.min((int) r, rows - 2);
    int c0 = Math.min((int) c, columns - 2);
    float down = r - r0;
    float right = c - c0;
    int at = r0 * columns + c0;
    float upper = heights[at] + right * (heights[at + 1] - heights[at]);
    int below = at + columns;
    float lower = heights[below] + right * (heights[below + 1] - heights[below]);
    return upper + down * (lower - upper);
  }
}
