package io.fieldstone.relays;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A planned relay.
 *
 * @param x the x coordinate in the field
 * @param y the y coordinate in the field
 * @param kind the purpose of the relay
 * @param site the id of its site, if sites were given, or of the existing relay
 * @param range its own range, if its site has one; else that of the plan
 * @param cost the cost of its site; 0 if it exists, 1 if it has no other
 */
public record Relay(
    double x, double y, Kind kind, Optional<String> site, OptionalDouble range, double cost) {

  /** Makes a relay with the range of the plan. */
  public Relay(double x, double y, Kind kind, Optional<String> site) {
    this(x, y, kind, site, OptionalDouble.empty(), kind == Kind.EXISTING ? 0 : 1);
  }

  /**
   * Returns a relay at a station of its own range and cost.
   *
   * @param stations sites, or existing relays
   */
  static Relay at(SensorField stations, int station, Kind kind) {
    double range = stations.equipment().range(station, Double.NaN);
    return new Relay(
        stations.x(station),
        stations.y(station),
        kind,
        Optional.of(stations.id(station)),
        Double.isNaN(range) ? OptionalDouble.empty() : OptionalDouble.of(range),
        kind == Kind.EXISTING ? 0 : stations.equipment().cost(station));
  }

  /** Returns the sum of the costs of relays. */
  static double cost(List<Relay> relays) {
    return relays.stream().mapToDouble(Relay::cost).sum();
  }

  /** Returns the same relay at another place. */
  Relay at(double otherX, double otherY) {
    return new Relay(otherX, otherY, kind, site, range, cost);
  }

  /** Returns a relay without a site. */
  static Relay anywhere(double x, double y, Kind kind) {
    return new Relay(x, y, kind, Optional.empty());
  }

  /** The purpose of a relay. */
  public enum Kind {
    /** Joins three or more groups. */
    STAR,

    /** Is one of the relays along a straight line between two groups. */
    LINK,

    /** Is placed on one of the given sites. */
    SITE,

    /** Existed before the plan, and costs nothing. */
    EXISTING
  }
}
