package io.fieldstone.map;

/** The kinds of coordinates. */
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

  /** Returns the name of the eastward coordinate. */
  public String first() {
    return first;
  }

  /** Returns the name of the northward coordinate. */
  public String second() {
    return second;
  }
}
