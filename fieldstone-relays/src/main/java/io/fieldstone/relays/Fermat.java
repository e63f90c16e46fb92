package io.fieldstone.relays;

/** Computes the point with the least sum of distances to the corners of a triangle. */
final class Fermat {

  private static final double ROOT_3 = Math.sqrt(3);

  /** The result where no angle is less than 120° at the point: it is a corner. */
  static final double NONE = -1;

  private Fermat() {}

  /**
   * Returns the sum of the distances of the Fermat point from the corners; {@link #NONE} if an
   * angle of the triangle is 120° or more, so that the point is a corner.
   */
  static double length(double ax, double ay, double bx, double by, double cx, double cy) {
    double a = squared(bx, by, cx, cy);
    double b = squared(cx, cy, ax, ay);
    double c = squared(ax, ay, bx, by);
    double fourAreas = 2 * Math.abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));
    return isCorner(a, b, c, fourAreas) ? NONE : Math.sqrt((a + b + c + ROOT_3 * fourAreas) / 2);
  }

  /**
   * Finds the Fermat point by its barycentric coordinates.
   *
   * @param place receives x and y
   * @return false if it is a corner
   */
  static boolean place(
      double ax, double ay, double bx, double by, double cx, double cy, double[] place) {
    double a = squared(bx, by, cx, cy);
    double b = squared(cx, cy, ax, ay);
    double c = squared(ax, ay, bx, by);
    double fourAreas = 2 * Math.abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));
    if (isCorner(a, b, c, fourAreas)) {
      return false;
    }
    double ofA = 1 / (fourAreas + ROOT_3 * (b + c - a));
    double ofB = 1 / (fourAreas + ROOT_3 * (c + a - b));
    double ofC = 1 / (fourAreas + ROOT_3 * (a + b - c));
    double sum = ofA + ofB + ofC;
    place[0] = ax + (ofB * (bx - ax) + ofC * (cx - ax)) / sum;
    place[1] = ay + (ofB * (by - ay) + ofC * (cy - ay)) / sum;
    return true;
  }

  /** Returns whether an angle is at least 120°: then tan of it is in −√3 … 0, or all are 0. */
  private static boolean isCorner(double a, double b, double c, double fourAreas) {
    double least = Math.min(b + c - a, Math.min(c + a - b, a + b - c));
    return !(fourAreas + ROOT_3 * least > MARGIN * (a + b + c));
  }

  /** Exceeds the rounding errors of squared distances, relative to their sum. */
  private static final double MARGIN = 1e-9;

  private static double squared(double ax, double ay, double bx, double by) {
    double dx = ax - bx;
    double dy = ay - by;
    return dx * dx + dy * dy;
  }
}
