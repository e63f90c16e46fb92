package io.fieldstone.map;

/**
 * A sensor, relay or site with its coordinates.
 *
 * @param id the identifier
 * @param first x, or the longitude in degrees
 * @param second y, or the latitude in degrees
 * @param kind the kind of node as plans have it; empty if it is not known
 * @param own its own range, height and cost
 */
public record Place(String id, double first, double second, String kind, Own own) {

  private static final String SENSOR = "sensor";

  /** Makes a place of which nothing else is known. */
  public Place(String id, double first, double second) {
    this(id, first, second, "", Own.NONE);
  }

  /** Returns whether it is known that this is a sensor. */
  public boolean isSensorOfPlan() {
    return kind.equals(SENSOR);
  }

  /** Returns whether this is a sensor: nothing else is said. */
  public boolean isSensor() {
    return kind.isEmpty() || kind.equals(SENSOR);
  }
}
