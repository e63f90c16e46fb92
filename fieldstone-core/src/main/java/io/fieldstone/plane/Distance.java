package io.fieldstone.plane;

/** Compares how far apart two points are with a length, exactly. */
public final class Distance {

  /**
   * The relative error of a squared distance: each difference, each square and the sum are rounded
   * once, and the square of the length as well. Twice what that makes, for the rounding of the
   * bound itself.
   */
  private static final double ERROR = 10 * Math.ulp(0.5);

  private Distance() {}

  /**
   * Whether the distance of two points is less than, equal to or greater than a length.
   *
   * @param length ≥ 0
   * @return −1, 0 or 1
   */
  public static int compare(double ax, double ay, double bx, double by, double length) {
    double dx = ax - bx;
    double dy = ay - by;
    double distance = dx * dx + dy * dy;
    double bound = length * length;
    double difference = distance - bound;
    if (Math.abs(difference) > ERROR * (distance + bound)) {
      return difference < 0 ? -1 : 1;
    }
    return squared(ax, ay, bx, by).minus(Expansion.of(length).squared()).signum();
  }

  /** The square of the distance of two points. */
  static Expansion squared(double ax, double ay, double bx, double by) {
    return Expansion.difference(ax, bx).squared().plus(Expansion.difference(ay, by).squared());
  }
}
