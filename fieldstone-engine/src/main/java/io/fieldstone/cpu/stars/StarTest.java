package io.fieldstone.cpu.stars;

import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;

/** Tests three points exactly: in 64 bits if all terms fit, otherwise by the definition. */
final class StarTest {

  /** Maximum integer range for which a²b²c² ≤ (4R²)³ fits a long. */
  private static final double MAX_LONG_RANGE = 724;

  private final StarField field;
  private final boolean fitsLong;
  private final boolean enclosing;
  private final long min;
  private final long max;

  StarTest(StarField field) {
    this.field = field;
    this.fitsLong = field.isIntegral() && field.range() <= MAX_LONG_RANGE;
    this.enclosing = field.rule() == StarRule.ENCLOSING_CIRCLE;
    long range = fitsLong ? (long) field.range() : 0;
    this.min = range * range;
    this.max = 4 * min;
  }

  /**
   * Returns whether two points can belong to a star: more than R and at most 2R apart, or
   * unchecked.
   */
  boolean mayBeSide(int p, int q) {
    if (!fitsLong) {
      return true;
    }
    long x = (long) field.x(q) - (long) field.x(p);
    long y = (long) field.y(q) - (long) field.y(p);
    long square = x * x + y * y;
    return square > min && square <= max;
  }

  boolean isStar(int p, int q, int r) {
    return fitsLong ? isStarInLongs(p, q, r) : field.isStar(p, q, r);
  }

  /** Formula (1) with the divisor 4, squared: r² = a²b²c² / 4 cross². */
  private boolean isStarInLongs(int p, int q, int r) {
    long qx = (long) field.x(q) - (long) field.x(p);
    long qy = (long) field.y(q) - (long) field.y(p);
    long a = qx * qx + qy * qy;
    if (a <= min || a > max) {
      return false;
    }
    long rx = (long) field.x(r) - (long) field.x(p);
    long ry = (long) field.y(r) - (long) field.y(p);
    long b = rx * rx + ry * ry;
    long c = (rx - qx) * (rx - qx) + (ry - qy) * (ry - qy);
    if (b <= min || c <= min || b > max || c > max) {
      return false;
    }
    long cross = qx * ry - qy * rx;
    // For a right angle both circles are equal.
    boolean obtuse = a + b < c || b + c < a || c + a < b;
    return a * b * c <= max * cross * cross || (enclosing && obtuse);
  }
}
