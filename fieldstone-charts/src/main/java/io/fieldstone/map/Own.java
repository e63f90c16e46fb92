package io.fieldstone.map;

/**
 * The range, height and cost that a place has of its own; NaN for those that are as usual.
 *
 * @param range the range, in the unit of the coordinates; in metres if they are degrees
 * @param height the height of the antenna above the ground in metres
 * @param cost the cost of a relay there
 */
public record Own(double range, double height, double cost) {

  /** Nothing of its own. */
  public static final Own NONE = new Own(Double.NaN, Double.NaN, Double.NaN);

  /** Returns a quantity. */
  public double get(Quantity quantity) {
    return switch (quantity) {
      case RANGE -> range;
      case HEIGHT -> height;
      case COST -> cost;
    };
  }

  /** Returns the same with another value of a quantity. */
  public Own with(Quantity quantity, double value) {
    return switch (quantity) {
      case RANGE -> new Own(value, height, cost);
      case HEIGHT -> new Own(range, value, cost);
      case COST -> new Own(range, height, value);
    };
  }
}
