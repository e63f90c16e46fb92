package io.fieldstone.engine.stars;

import io.fieldstone.plane.Distance;
import io.fieldstone.plane.Expansion;
import io.fieldstone.plane.Grid;
import io.fieldstone.plane.Triangle;
import java.util.Arrays;
import java.util.Objects;

/**
 * Where 3-stars are searched: points in the order of the cells of a grid, a range and a rule.
 *
 * <p>Cells that hold points are numbered in ascending order of rows and then of columns; their
 * points follow one another. So the points of three adjacent cells of a row are one run of indices,
 * and all that is near a point is in three such runs.
 *
 * <p>A star is found from its <em>lowest</em> point, by y and then by x. A <em>candidate</em> of a
 * point is one that is higher and more than R, at most 2R, away: in the paper's Fig. 6 the upper
 * half of the annulus. The other two points of a star are candidates of its lowest, so each star is
 * among the pairs of candidates of one point, once.
 *
 * <p>Immutable; belongs to no engine.
 */
public final class StarField {

  /** Integers of this magnitude have squared distances that fit a long. */
  private static final double MAX_WHOLE = 0x1p30 - 1;

  private final double[] xs;
  private final double[] ys;
  private final double range;
  private final StarRule rule;
  private final boolean whole;
  private final Cells cells;

  /**
   * A field.
   *
   * @param xs of each point; copied
   * @param ys of each point; copied
   * @param range R
   * @throws IllegalArgumentException if the range is not a number greater than 0, a coordinate is
   *     not finite or beyond what {@link Expansion} can work with, there are not as many of both,
   *     or the points are not in the order of the cells of {@link #grid}
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
    this.whole = isWhole(this.xs, this.ys, range);
    this.cells = Cells.of(this.xs, this.ys, Grid.forRange(range, whole));
  }

  /**
   * The grid by whose cells points must be in order.
   *
   * @throws IllegalArgumentException if the range or a coordinate cannot be worked with
   */
  public static Grid grid(double[] xs, double[] ys, double range) {
    requireRange(range);
    return Grid.forRange(range, isWhole(xs, ys, range));
  }

  /** How many points. */
  public int points() {
    return xs.length;
  }

  /** A coordinate of a point. */
  public double x(int point) {
    return xs[point];
  }

  /** A coordinate of a point. */
  public double y(int point) {
    return ys[point];
  }

  /** x of every point: the array itself, only to be read. */
  public double[] xs() {
    return xs;
  }

  /** y of every point: the array itself, only to be read. */
  public double[] ys() {
    return ys;
  }

  /** R. */
  public double range() {
    return range;
  }

  /** When three points are a star. */
  public StarRule rule() {
    return rule;
  }

  /**
   * Whether all coordinates and the range are integers of less than 2^30 in magnitude: squared
   * distances fit a long, and up to R = 724 everything does that a star is decided by.
   */
  public boolean isWhole() {
    return whole;
  }

  /** The cells that hold points. */
  public Cells cells() {
    return cells;
  }

  /** Which of two points is lower, by y and then by x; of two at one place, the second. */
  public int lower(int p, int q) {
    return ys[p] < ys[q] || (ys[p] == ys[q] && xs[p] < xs[q]) ? p : q;
  }

  /** Whether a point is a candidate of another. */
  public boolean isCandidate(int lowest, int point) {
    double x = xs[point];
    double y = ys[point];
    return (y > ys[lowest] || (y == ys[lowest] && x > xs[lowest]))
        && Distance.compare(x, y, xs[lowest], ys[lowest], range) > 0
        && Distance.compare(x, y, xs[lowest], ys[lowest], 2 * range) <= 0;
  }

  /** Whether three different points, in any order, are a star: the definition. */
  public boolean isStar(int a, int b, int c) {
    return rule.holds(new Triangle(xs[a], ys[a], xs[b], ys[b], xs[c], ys[c]), range);
  }

  private static void requireRange(double range) {
    if (!(range >= Expansion.LEAST && range <= Expansion.GREATEST)) {
      throw new IllegalArgumentException(
          "range %s is not between %s and %s"
              .formatted(range, Expansion.LEAST, Expansion.GREATEST));
    }
  }

  private static boolean isWhole(double[] xs, double[] ys, double range) {
    for (int i = 0; i < xs.length; i++) {
      requireCoordinate(i, xs[i]);
      requireCoordinate(i, ys[i]);
    }
    return isWhole(range)
        && Arrays.stream(xs).allMatch(StarField::isWhole)
        && Arrays.stream(ys).allMatch(StarField::isWhole);
  }

  private static boolean isWhole(double number) {
    return Math.abs(number) <= MAX_WHOLE && number == Math.rint(number);
  }

  private static void requireCoordinate(int point, double coordinate) {
    double magnitude = Math.abs(coordinate);
    if (!(magnitude <= Expansion.GREATEST) || (magnitude < Expansion.LEAST && magnitude > 0)) {
      throw new IllegalArgumentException(
          "coordinate %s of point %d is not 0 or between %s and %s in magnitude"
              .formatted(coordinate, point, Expansion.LEAST, Expansion.GREATEST));
    }
  }

  /** The cells that hold points, by number. */
  public static final class Cells {

    private final Grid grid;
    private final long[] keys;
    private final int[] starts;

    private Cells(Grid grid, long[] keys, int[] starts) {
      this.grid = grid;
      this.keys = keys;
      this.starts = starts;
    }

    /**
     * The cells of some points.
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

    /** The grid. */
    public Grid grid() {
      return grid;
    }

    /** How many cells hold points. */
    public int count() {
      return keys.length;
    }

    /** The row of a cell. */
    public int row(int cell) {
      return Grid.row(keys[cell]);
    }

    /** The column of a cell. */
    public int column(int cell) {
      return Grid.column(keys[cell]);
    }

    /** The first point of a cell; of the one after the last, how many points there are. */
    public int start(int cell) {
      return starts[cell];
    }

    /** The cell of a point. */
    public int of(int point) {
      int found = Arrays.binarySearch(starts, 0, keys.length, point);
      return found >= 0 ? found : -found - 2;
    }

    /**
     * The first point in a cell's column and those on either side, some rows further up; meaningful
     * together with {@link #runEnd}.
     */
    public int runStart(int cell, int rowsUp) {
      return starts[at((long) row(cell) + rowsUp, column(cell) - 1L)];
    }

    /** The point after the last of the run from {@link #runStart} on. */
    public int runEnd(int cell, int rowsUp) {
      return starts[at((long) row(cell) + rowsUp, column(cell) + 2L)];
    }

    /**
     * The first cell that is not before a place in the grid; {@link #count} if there is none.
     *
     * @param row of the place, which may be beyond those there are
     */
    public int at(long row, long column) {
      int found = Arrays.binarySearch(keys, Grid.key(row, column));
      return found >= 0 ? found : -found - 1;
    }
  }

  /**
   * Checks a range of points.
   *
   * @throws IndexOutOfBoundsException if some of it is not in the field
   */
  public void requirePoints(int first, int count) {
    Objects.checkFromIndexSize(first, count, points());
  }
}
