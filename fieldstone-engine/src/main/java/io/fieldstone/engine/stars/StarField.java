package io.fieldstone.engine.stars;

import io.fieldstone.plane.Distance;
import io.fieldstone.plane.Expansion;
import io.fieldstone.plane.Grid;
import io.fieldstone.plane.Triangle;
import java.util.Arrays;
import java.util.Objects;

/**
 * The input of a 3-star search: points in the order of the cells of a grid, a range, and a rule.
 *
 * <p>Cells with points are numbered in ascending order of rows, then columns, and their points are
 * contiguous. So the points of three adjacent cells of a row are one range of indices. Three such
 * ranges contain all points near a given point.
 *
 * <p>A star is found from its <em>lowest</em> point, by y and then by x. A <em>candidate</em> of a
 * point is higher and has a distance in (R, 2R]: in the paper's Fig. 6, the upper half of the
 * annulus. The other two points of a star are candidates of its lowest point. So each star is
 * exactly one pair of candidates.
 *
 * <p>Immutable and thread-safe; independent of any engine.
 */
public final class StarField {

  /** The maximum magnitude of integer coordinates whose squared distances fit a long. */
  private static final double MAX_WHOLE = 0x1p30 - 1;

  private final double[] xs;
  private final double[] ys;
  private final double range;
  private final StarRule rule;
  private final boolean whole;
  private final Cells cells;

  /**
   * Creates a field.
   *
   * @param xs the x coordinates; copied
   * @param ys the y coordinates; copied
   * @param range the range R, &gt; 0
   * @throws IllegalArgumentException if the range is not greater than 0, a coordinate is not finite
   *     or exceeds the bounds of {@link Expansion}, the arrays differ in length, or the points are
   *     not in the order of the cells of {@link #grid}
   */
  public StarField(double[] xs, double[] ys, double range, StarRule rule) {
    if (xs.length != ys.length) {
      throw new IllegalArgumentException(
          "%d coordinates x and %d coordinates y".formatted(xs.length, ys.length));
    }
    requireRange(range);
    this.xs = xs.clone();
    this.ys = ys.clone();
    this.range = range;
    this.rule = Objects.requireNonNull(rule, "rule");
    this.whole = isIntegral(this.xs, this.ys, range);
    this.cells = Cells.of(this.xs, this.ys, Grid.forRange(range, whole));
  }

  /**
   * Returns the grid whose cells define the order of the points.
   *
   * @throws IllegalArgumentException if the range or a coordinate is out of bounds
   */
  public static Grid grid(double[] xs, double[] ys, double range) {
    requireRange(range);
    return Grid.forRange(range, isIntegral(xs, ys, range));
  }

  /** Returns the number of points. */
  public int points() {
    return xs.length;
  }

  /** Returns the x coordinate of a point. */
  public double x(int point) {
    return xs[point];
  }

  /** Returns the y coordinate of a point. */
  public double y(int point) {
    return ys[point];
  }

  /** Returns the x coordinates of all points: the internal array, which must not be changed. */
  public double[] xs() {
    return xs;
  }

  /** Returns the y coordinates of all points: the internal array, which must not be changed. */
  public double[] ys() {
    return ys;
  }

  /** Returns the range R. */
  public double range() {
    return range;
  }

  /** Returns the rule that defines a star. */
  public StarRule rule() {
    return rule;
  }

  /**
   * Returns true if all coordinates and the range are integers of magnitude less than 2^30. Squared
   * distances then fit a long; up to R = 724, so do all terms of the star test.
   */
  public boolean isIntegral() {
    return whole;
  }

  /** Returns the cells that contain points. */
  public Cells cells() {
    return cells;
  }

  /** Returns the lower of two points, by y and then by x; the second if they coincide. */
  public int lower(int p, int q) {
    return ys[p] < ys[q] || (ys[p] == ys[q] && xs[p] < xs[q]) ? p : q;
  }

  /** Returns true if {@code point} is a candidate of {@code lowest}. */
  public boolean isCandidate(int lowest, int point) {
    double x = xs[point];
    double y = ys[point];
    return (y > ys[lowest] || (y == ys[lowest] && x > xs[lowest]))
        && Distance.compare(x, y, xs[lowest], ys[lowest], range) > 0
        && Distance.compare(x, y, xs[lowest], ys[lowest], 2 * range) <= 0;
  }

  /** Returns true if three different points, in any order, are a star by definition. */
  public boolean isStar(int a, int b, int c) {
    return rule.holds(new Triangle(xs[a], ys[a], xs[b], ys[b], xs[c], ys[c]), range);
  }

  private static void requireRange(double range) {
    if (!(range >= Expansion.MIN_MAGNITUDE && range <= Expansion.MAX_MAGNITUDE)) {
      throw new IllegalArgumentException(
          "range %s is not between %s and %s"
              .formatted(range, Expansion.MIN_MAGNITUDE, Expansion.MAX_MAGNITUDE));
    }
  }

  private static boolean isIntegral(double[] xs, double[] ys, double range) {
    for (int i = 0; i < xs.length; i++) {
      requireCoordinate(i, xs[i]);
      requireCoordinate(i, ys[i]);
    }
    return isIntegral(range)
        && Arrays.stream(xs).allMatch(StarField::isIntegral)
        && Arrays.stream(ys).allMatch(StarField::isIntegral);
  }

  private static boolean isIntegral(double number) {
    return Math.abs(number) <= MAX_WHOLE && number == Math.rint(number);
  }

  private static void requireCoordinate(int point, double coordinate) {
    double magnitude = Math.abs(coordinate);
    if (!(magnitude <= Expansion.MAX_MAGNITUDE)
        || (magnitude < Expansion.MIN_MAGNITUDE && magnitude > 0)) {
      throw new IllegalArgumentException(
          "coordinate %s of point %d is not 0 or between %s and %s in magnitude"
              .formatted(coordinate, point, Expansion.MIN_MAGNITUDE, Expansion.MAX_MAGNITUDE));
    }
  }

  /** The cells that contain points, by number. */
  public static final class Cells {

    private final Grid grid;
    private final long[] keys;
    private final int[] starts;

    /** A band has 2^bandShift rows; there are at most as many bands as cells. */
    private final int bandShift;

    /** The first cell of each band, and the number of cells: a search of a cell is in one band. */
    private final int[] bands;

    private Cells(Grid grid, long[] keys, int[] starts) {
      this.grid = grid;
      this.keys = keys;
      this.starts = starts;
      long rows = keys.length == 0 ? 0 : (long) row(keys.length - 1) - row(0);
      int shift = 0;
      while (rows >> shift > keys.length) {
        shift++;
      }
      this.bandShift = shift;
      this.bands = new int[(int) (rows >> shift) + 2];
      for (int cell = 0, band = 0; band < bands.length; band++) {
        while (cell < keys.length && band((long) row(cell)) < band) {
          cell++;
        }
        bands[band] = cell;
      }
    }

    private long band(long row) {
      return (row - row(0)) >> bandShift;
    }

    /**
     * Returns the cells of the given points.
     *
     * @throws IllegalArgumentException if the points are not in the order of the grid's cells
     */
    public static Cells of(double[] xs, double[] ys, Grid grid) {
      long[] keys = new long[xs.length];
      int[] starts = new int[xs.length + 1];
      int count = 0;
      for (int i = 0; i < xs.length; i++) {
        long key = grid.key(xs[i], ys[i]);
        if (count > 0 && key < keys[count - 1]) {
          throw new IllegalArgumentException(
              "point %d is in a cell before that of point %d".formatted(i, i - 1));
        }
        if (count == 0 || key > keys[count - 1]) {
          starts[count] = i;
          keys[count] = key;
          count++;
        }
      }
      starts[count] = xs.length;
      return new Cells(grid, Arrays.copyOf(keys, count), Arrays.copyOf(starts, count + 1));
    }

    /** Returns the grid. */
    public Grid grid() {
      return grid;
    }

    /** Returns the number of cells that contain points. */
    public int count() {
      return keys.length;
    }

    /** Returns the row of a cell. */
    public int row(int cell) {
      return Grid.row(keys[cell]);
    }

    /** Returns the column of a cell. */
    public int column(int cell) {
      return Grid.column(keys[cell]);
    }

    /** Returns the first point of a cell; for the number of cells, the number of points. */
    public int start(int cell) {
      return starts[cell];
    }

    /** Returns the cell of a point. */
    public int of(int point) {
      int found = Arrays.binarySearch(starts, 0, keys.length, point);
      return found >= 0 ? found : -found - 2;
    }

    /**
     * Returns the first point of the three columns around a cell, {@code rowsUp} rows above it. Use
     * it together with {@link #runEnd}.
     */
    public int runStart(int cell, int rowsUp) {
      return starts[at((long) row(cell) + rowsUp, column(cell) - 1L)];
    }

    /** Returns the point after the last of the range that begins at {@link #runStart}. */
    public int runEnd(int cell, int rowsUp) {
      return starts[at((long) row(cell) + rowsUp, column(cell) + 2L)];
    }

    /**
     * Returns the first cell at or after a position of the grid; {@link #count} if there is none.
     *
     * @param row the row of the position, which may lie outside the grid
     */
    public int at(long row, long column) {
      if (keys.length == 0 || row < row(0)) {
        return 0;
      }
      int band = (int) Math.min(band(row), bands.length - 2L);
      int found = Arrays.binarySearch(keys, bands[band], bands[band + 1], Grid.key(row, column));
      return found >= 0 ? found : -found - 1;
    }
  }

  /**
   * Checks that a range of points lies in the field.
   *
   * @throws IndexOutOfBoundsException if it does not
   */
  public void requirePoints(int first, int count) {
    Objects.checkFromIndexSize(first, count, points());
  }
}
