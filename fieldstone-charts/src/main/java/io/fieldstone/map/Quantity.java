package io.fieldstone.map;

import java.util.Locale;

/** The kinds of quantities that a place may set: range, height and cost. */
public enum Quantity {
  /** The range, in the unit of the coordinates; in metres if they are degrees. */
  RANGE,

  /** The height of the antenna above the ground in metres. */
  HEIGHT,

  /** The cost of a relay there, in any unit. */
  COST;

  /** Returns the name in plans. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }
}
