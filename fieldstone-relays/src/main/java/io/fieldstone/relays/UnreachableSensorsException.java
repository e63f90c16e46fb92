package io.fieldstone.relays;

/** Thrown when relays on all given sites would not connect the sensors. */
public final class UnreachableSensorsException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int networks;

  UnreachableSensorsException(int networks, String one, String other) {
    super(
        "relays on all sites leave %d networks: sensors '%s' and '%s' are not connected"
            .formatted(networks, one, other));
    this.networks = networks;
  }

  /** Returns the number of networks with relays on all sites. */
  public int networks() {
    return networks;
  }
}
