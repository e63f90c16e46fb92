package io.fieldstone.cli.sensors;

import io.fieldstone.relays.Equipment;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** A property that a list may give for each place. */
public enum Quantity {
  /** The range, in the unit of the coordinates; in metres if they are degrees. */
  RANGE("range", "range_m"),

  /** The height of the antenna above the ground in metres. */
  HEIGHT("height", "height_m", "antenna_height", "antenna_height_m", "height_agl", "height_agl_m"),

  /** The cost of a relay there, in any unit. */
  COST("cost", "price");

  /** The names that say a unit which is not that of the list. */
  private static final Pattern OTHER_UNIT =
      Pattern.compile("(range|height|antenna_height|height_agl)_(km|mi|miles|ft|feet|yd|nmi?)");

  private final List<String> names;

  Quantity(String... names) {
    this.names = List.of(names);
  }

  /** Returns the names of columns and properties in lower case, the usual one first. */
  List<String> names() {
    return names;
  }

  /** Returns the name in plans. */
  String title() {
    return names.getFirst();
  }

  /** Returns whether a name is that of a quantity in a unit that is not read. */
  static boolean isInOtherUnit(String name) {
    return OTHER_UNIT.matcher(name.toLowerCase(Locale.ROOT)).matches();
  }

  /** Returns what is wrong with a value, if it is outside its bounds. */
  Optional<String> problem(double value) {
    if (this == HEIGHT) {
      return value >= 0 && value <= Equipment.MAX_HEIGHT
          ? Optional.empty()
          : Optional.of("is not in 0…" + Numbers.text(Equipment.MAX_HEIGHT));
    }
    return value >= Double.MIN_NORMAL && value < Double.POSITIVE_INFINITY
        ? Optional.empty()
        : Optional.of("is not greater than 0 and finite");
  }
}
