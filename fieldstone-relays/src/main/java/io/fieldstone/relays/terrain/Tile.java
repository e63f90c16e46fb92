package io.fieldstone.relays.terrain;

/**
 * A rectangle of heights in geographic coordinates (WGS 84), whose rows run from north to south.
 *
 * @param name the name of the file, for messages
 * @param north the latitude of the points of the first row, in degrees
 * @param west the longitude of the points of the first column, in degrees
 * @param rowStep the degrees between rows, &gt; 0
 * @param columnStep the degrees between columns, &gt; 0
 * @param rows the number of rows
 * @param columns the number of columns
 * @param heights rows × columns heights in metres, row by row; NaN where there are no data. Not
 *     copied
 */
@SuppressWarnings("ArrayRecordComponent") // Large, and documented as not copied.
public record Tile(
    String name,
    double north,
    double west,
    double rowStep,
    double columnStep,
    int rows,
    int columns,
    float[] heights) {

  private static final double POLE = 90;
  private static final double FULL_CIRCLE = 360;

  /**
   * Checks the tile.
   *
   * @throws IllegalArgumentException if it is not on the earth, or has not rows × columns heights
   */
  public Tile {
    if (!(rowStep > 0 && columnStep > 0)
        || rows < 1
        || columns < 1
        || (long) rows * columns != heights.length) {
      throw new IllegalArgumentException(
          "%d heights for %d rows and %d columns, steps %s and %s"
              .formatted(heights.length, rows, columns, rowStep, columnStep));
    }
    double south = north - rowStep * (rows - 1);
    if (!(north <= POLE + rowStep && south >= -POLE - rowStep && Math.abs(west) <= FULL_CIRCLE)
        || !(columnStep * columns <= FULL_CIRCLE + columnStep)) {
      throw new IllegalArgumentException(
          "latitudes %s … %s, longitudes from %s are not on the earth"
              .formatted(south, north, west));
    }
  }

  /** Returns the latitude of the last row. */
  public double south() {
    return north - rowStep * (rows - 1);
  }

  /** Returns the longitude of the last column. */
  public double east() {
    return west + columnStep * (columns - 1);
  }
}
