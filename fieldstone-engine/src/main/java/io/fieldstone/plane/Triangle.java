package io.fieldstone.plane;

/**
 * Three points, with real coordinates that are 0 or of magnitude {@link Expansion#MIN_MAGNITUDE} to
 * {@link Expansion#MAX_MAGNITUDE}. Results are exact.
 */
public record Triangle(double ax, double ay, double bx, double by, double cx, double cy) {

  /** The maximum relative rounding error of a double. */
  private static final double UNIT = Math.ulp(0.5);

  /**
   * The error bound of a product of two differences: three roundings, doubled for the bound itself.
   */
  private static final double PRODUCT_ERROR = 6 * UNIT;

  /**
   * The error bound of the product of three squared distances: 3 × 5 roundings, and those of the
   * bound.
   */
  private static final double SIDES_ERROR = 20 * UNIT;

  /** The error bound of a squared cross product times a squared length. */
  private static final double AREA_ERROR = 12 * UNIT;

  /** Returns true if all mutual distances of the points are greater than a length. */
  public boolean isSpread(double length) {
    return Distance.compare(ax, ay, bx, by, length) > 0
        && Distance.compare(bx, by, cx, cy, length) > 0
        && Distance.compare(cx, cy, ax, ay, length) > 0;
  }

  /**
   * Returns true if the circle through the points has at most this radius; false if the points are
   * collinear or two coincide.
   *
   * <p>The radius is r = abc / 4F, with sides a, b, c and area F. 2F is the cross product of two
   * sides, so the condition is a²b²c² ≤ 4 radius² cross².
   */
  public boolean isCircumradiusAtMost(double radius) {
    double sides = square(ax - bx, ay - by) * square(bx - cx, by - cy) * square(cx - ax, cy - ay);
    double forward = (bx - ax) * (cy - ay);
    double backward = (by - ay) * (cx - ax);
    double cross = Math.abs(forward - backward);
    double error = PRODUCT_ERROR * (Math.abs(forward) + Math.abs(backward));
    double min = area(Math.max(0, cross - error), radius);
    double max = area(cross + error, radius);
    if (sides * (1 + SIDES_ERROR) < min * (1 - AREA_ERROR)) {
      return true;
    }
    if (sides * (1 - SIDES_ERROR) > max * (1 + AREA_ERROR)) {
      return false;
    }
    return isCircumradiusExactlyAtMost(radius);
  }

  /**
   * Returns true if the smallest circle that encloses the points has at most this radius. It is the
   * circle through the points of an acute triangle; otherwise the longest side is its diameter.
   */
  public boolean isEnclosedBy(double radius) {
    double diameter = 2 * radius;
    return Distance.compare(ax, ay, bx, by, diameter) <= 0
        && Distance.compare(bx, by, cx, cy, diameter) <= 0
        && Distance.compare(cx, cy, ax, ay, diameter) <= 0
        && (!isAcute() || isCircumradiusAtMost(radius));
  }

  /** Returns true if every angle is less than a right angle. */
  public boolean isAcute() {
    return dot(ax, ay, bx, by, cx, cy) > 0
        && dot(bx, by, cx, cy, ax, ay) > 0
        && dot(cx, cy, ax, ay, bx, by) > 0;
  }

  /** Returns the sign of the dot product of the sides from p to q and from p to r. */
  private static int dot(double px, double py, double qx, double qy, double rx, double ry) {
    double horizontal = (qx - px) * (rx - px);
    double vertical = (qy - py) * (ry - py);
    double dot = horizontal + vertical;
    if (Math.abs(dot) > PRODUCT_ERROR * (Math.abs(horizontal) + Math.abs(vertical))) {
      return dot < 0 ? -1 : 1;
    }
    return product(qx, px, rx, px).plus(product(qy, py, ry, py)).signum();
  }

  private boolean isCircumradiusExactlyAtMost(double radius) {
    Expansion cross = product(bx, ax, cy, ay).minus(product(by, ay, cx, ax));
    if (cross.signum() == 0) {
      return false;
    }
    Expansion sides =
        Distance.squared(ax, ay, bx, by)
            .times(Distance.squared(bx, by, cx, cy))
            .times(Distance.squared(cx, cy, ax, ay));
    Expansion twice = Expansion.of(2 * radius).times(cross);
    return sides.minus(twice.squared()).signum() <= 0;
  }

  /** Returns (a − b)(c − d). */
  private static Expansion product(double a, double b, double c, double d) {
    return Expansion.difference(a, b).times(Expansion.difference(c, d));
  }

  private static double area(double cross, double radius) {
    double twice = 2 * radius * cross;
    return twice * twice;
  }

  private static double square(double x, double y) {
    return x * x + y * y;
  }
}
