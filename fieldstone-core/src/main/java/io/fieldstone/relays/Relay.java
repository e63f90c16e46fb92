package io.fieldstone.relays;

import java.util.Optional;

/**
 * A relay to be placed.
 *
 * @param x where, in the coordinates of the field
 * @param y where
 * @param kind why there
 * @param site the id of the site it stands on, if sites were given
 */
public record Relay(double x, double y, Kind kind, Optional<String> site) {

  /** A relay that may stand anywhere. */
  static Relay anywhere(double x, double y, Kind kind) {
    return new Relay(x, y, kind, Optional.empty());
  }

  /** Why a relay is where it is. */
  public enum Kind {
    /** It joins three groups or more. */
    STAR,

    /** It is one of those along a straight line between two groups. */
    LINK,

    /** It stands on one of the sites that were given. */
    SITE
  }
}
