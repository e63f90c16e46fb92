package io.fieldstone.cli.sensors;

/**
 * A sensor, relay or site with its coordinates in a file.
 *
 * @param id the identifier
 * @param first x, or the longitude in degrees
 * @param second y, or the latitude in degrees
 * @param kind the kind of node as plans have it; empty if the file has none
 * @param own its own range, height and cost
 */
public record Place(String id, double first, double second, String kind, Own own) {

  private static final String SENSOR = "sensor";

  /** Makes a place of which nothing else is known. */
  public Place(String id, double first, double second) {
    this(id, first, second, "", Own.NONE);
  }

  /** Returns whether the file says that this is a sensor. */
  public boolean isSensorOfPlan() {
    return kind.equals(SENSOR);
  }

  /** Returns whether this is a sensor: nothing else is said. */
  public boolean isSensor() {
    return kind.isEmpty() || kind.equals(SENSOR);
  }
}
