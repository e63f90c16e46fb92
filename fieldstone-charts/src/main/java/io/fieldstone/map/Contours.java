package io.fieldstone.map;

import java.util.Arrays;

/**
 * Contours of a lattice of heights, by marching squares: straight lines across its cells.
 * Immutable.
 */
final class Contours {

  /** The least number of contours between the lowest and the highest point. */
  private static final int MIN_LEVELS = 6;

  private static final double MIN_INTERVAL = 1;

  private final int rows;
  private final int columns;
  private final double[] heights;
  private final double interval;

  /** Receives the lines. */
  @FunctionalInterface
  interface Lines {

    /** Receives a line between two places, in rows and columns. */
    void line(double row, double column, double otherRow, double otherColumn);
  }

  /**
   * Makes contours.
   *
   * @param heights rows × columns heights, row by row; NaN where there is none
   */
  Contours(int rows, int columns, double[] heights) {
    this.rows = rows;
    this.columns = columns;
    this.heights = heights;
    double low = Arrays.stream(heights).filter(Double::isFinite).min().orElse(0);
    double high = Arrays.stream(heights).filter(Double::isFinite).max().orElse(0);
    this.interval = interval(high - low);
  }

  private static double interval(double span) {
    double most = span / MIN_LEVELS;
    if (most <= MIN_INTERVAL) {
      return MIN_INTERVAL;
    }
    double power = Math.pow(10, Math.floor(Math.log10(most)));
    return power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
  }

  /** Returns the metres between contours. */
  double interval() {
    return interval;
  }

  /** Passes all lines to a receiver. */
  void forEach(Lines lines) {
    for (int row = 0; row + 1 < rows; row++) {
      for (int column = 0; column + 1 < columns; column++) {
        cell(row, column, lines);
      }
    }
  }

  private void cell(int row, int column, Lines lines) {
    double[] corners = {
      heights[row * columns + column],
      heights[row * columns + column + 1],
      heights[(row + 1) * columns + column + 1],
      heights[(row + 1) * columns + column]
    };
    double low = Arrays.stream(corners).min().orElse(0);
    double high = Arrays.stream(corners).max().orElse(0);
    if (!Double.isFinite(low) || !Double.isFinite(high)) {
      return;
    }
    for (double level = (Math.floor(low / interval) + 1) * interval;
        level <= high;
        level += interval) {
      double[] crossings = new double[8];
      int count = 0;
      for (int side = 0; side < 4; side++) {
        double from = corners[side];
        double to = corners[(side + 1) % 4];
        if (from < level != to < level) {
          double share = (level - from) / (to - from);
          double along = side < 2 ? share : 1 - share;
          crossings[2 * count] = row + (side % 2 == 1 ? along : side == 0 ? 0 : 1);
          crossings[2 * count + 1] = column + (side % 2 == 0 ? along : side == 1 ? 1 : 0);
          count++;
        }
      }
      // Two crossings, or four around a saddle.
      for (int i = 0; i + 1 < count; i += 2) {
        lines.line(
            crossings[2 * i], crossings[2 * i + 1], crossings[2 * i + 2], crossings[2 * i + 3]);
      }
    }
  }
}
