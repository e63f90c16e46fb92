package io.fieldstone.plane;

/** Compares the distance of two points with a length exactly. */
public final class Distance {

  /**
   * A bound of the relative error of a squared distance: twice the sum of all roundings, including
   * those of the squared length, to cover the rounding of the bound.
   */
  private static final double ERROR = 10 * Math.ulp(0.5);

  private Distance() {}

  /**
   * Compares the distance of two points with a length.
   *
   * @param length the length, ≥ 0
   * @return −1, 0 or 1 if the distance is less than, equal to or greater than the length
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

  /** Returns the square of the distance of two points. */
  static Expansion squared(double ax, double ay, double bx, double by) {
    return Expansion.difference(ax, bx).squared().plus(Expansion.difference(ay, by).squared());
  }
}
