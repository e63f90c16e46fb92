package io.fieldstone.relays;

/** Thrown when relays on all given sites would not connect the sensors. */
public final class UnreachableSensorsException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int networks;

  UnreachableSensorsException(int networks, String one, String other) {
    this("sites", networks, one, other);
  }

  /**
   * Makes an exception.
   *
   * @param places where relays may be, in the plural
   * @param networks the number of networks that are left
   * @param one the id of a sensor
   * @param other the id of a sensor in another network
   */
  public UnreachableSensorsException(String places, int networks, String one, String other) {
    super(
        "relays on all %s leave %d networks: sensors '%s' and '%s' are not connected"
            .formatted(places, networks, one, other));
    this.networks = networks;
  }

  /** Returns the number of networks with relays on all sites. */
  public int networks() {
    return networks;
  }
}
