package io.fieldstone.relays.terrain;

/**
 * A box of latitudes and longitudes in degrees; east exceeds 180 in a box across the antimeridian.
 *
 * @param west the least longitude
 * @param south the least latitude
 * @param east the greatest longitude, at least west
 * @param north the greatest latitude, at least south
 */
public record GeoBox(double west, double south, double east, double north) {

  static final double FULL_CIRCLE = 360;

  /** Returns this box with a longitude as near as possible to that of another. */
  GeoBox near(GeoBox other) {
    double turns =
        FULL_CIRCLE * Math.rint(((other.west + other.east) - (west + east)) / 2 / FULL_CIRCLE);
    return new GeoBox(west + turns, south, east + turns, north);
  }

  /** Returns the common part, which may be inverted. */
  GeoBox meet(GeoBox other) {
    return new GeoBox(
        Math.max(west, other.west),
        Math.max(south, other.south),
        Math.min(east, other.east),
        Math.min(north, other.north));
  }

  /** Returns the smallest box around both. */
  GeoBox join(GeoBox other) {
    return new GeoBox(
        Math.min(west, other.west),
        Math.min(south, other.south),
        Math.max(east, other.east),
        Math.max(north, other.north));
  }

  /** Returns whether width and height exceed a number of degrees. */
  boolean exceeds(double degrees) {
    return east - west > degrees && north - south > degrees;
  }
}
