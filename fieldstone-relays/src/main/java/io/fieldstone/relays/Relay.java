package io.fieldstone.relays;

import java.util.Optional;

/**
 * A planned relay.
 *
 * @param x the x coordinate in the field
 * @param y the y coordinate in the field
 * @param kind the purpose of the relay
 * @param site the id of its site, if sites were given, or of the existing relay
 */
public record Relay(double x, double y, Kind kind, Optional<String> site) {

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
