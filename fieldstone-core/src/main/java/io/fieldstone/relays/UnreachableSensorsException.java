package io.fieldstone.relays;

/** Relays on all the sites given would not make the sensors one network. */
public final class UnreachableSensorsException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int networks;

  UnreachableSensorsException(int networks, String one, String other) {
    super(
        "relays on the sites given leave %d networks: no way from sensor '%s' to sensor '%s'"
            .formatted(networks, one, other));
    this.networks = networks;
  }

  /** How many networks there would be. */
  public int networks() {
    return networks;
  }
}
