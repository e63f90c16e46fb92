package io.fieldstone.cli.sensors;

import io.fieldstone.chart.drawing.DecimalText;
import io.fieldstone.map.Quantity;
import io.fieldstone.relays.Equipment;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The names of quantities in lists, and the bounds of their values. */
final class QuantityNames {

  /** The names that say a unit which is not that of the list. */
  private static final Pattern OTHER_UNIT =
      Pattern.compile("(range|height|antenna_height|height_agl)_(km|mi|miles|ft|feet|yd|nmi?)");

  private QuantityNames() {}

  /** Returns the names of columns and properties in lower case, the usual one first. */
  static List<String> of(Quantity quantity) {
    return switch (quantity) {
      case RANGE -> List.of("range", "range_m");
      case HEIGHT ->
          List.of(
              "height",
              "height_m",
              "antenna_height",
              "antenna_height_m",
              "height_agl",
              "height_agl_m");
      case COST -> List.of("cost", "price");
    };
  }

  /** Returns whether a name is that of a quantity in a unit that is not read. */
  static boolean areInOtherUnit(String name) {
    return OTHER_UNIT.matcher(name.toLowerCase(Locale.ROOT)).matches();
  }

  /** Returns what is wrong with a value, if it is outside its bounds. */
  static Optional<String> problem(Quantity quantity, double value) {
    if (quantity == Quantity.HEIGHT) {
      return value >= 0 && value <= Equipment.MAX_HEIGHT
          ? Optional.empty()
          : Optional.of("is not in 0…" + DecimalText.of(Equipment.MAX_HEIGHT));
    }
    return value >= Double.MIN_NORMAL && value < Double.POSITIVE_INFINITY
        ? Optional.empty()
        : Optional.of("is not greater than 0 and finite");
  }
}
