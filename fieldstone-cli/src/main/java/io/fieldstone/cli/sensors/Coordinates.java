package io.fieldstone.cli.sensors;

/** What a pair of coordinates means. */
public enum Coordinates {

  /** x and y, in any unit. */
  PLANAR("x", "y"),

  /** Longitude and latitude in degrees. */
  DEGREES("lon", "lat");

  private final String first;
  private final String second;

  Coordinates(String first, String second) {
    this.first = first;
    this.second = second;
  }

  /** What the coordinate to the east is called. */
  public String first() {
    return first;
  }

  /** What the coordinate to the north is called. */
  public String second() {
    return second;
  }
}
