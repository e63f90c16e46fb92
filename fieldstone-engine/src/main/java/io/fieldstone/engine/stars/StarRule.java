package io.fieldstone.engine.stars;

import io.fieldstone.plane.Triangle;

/** Defines when three points with mutual distances greater than the range R are a 3-star. */
public enum StarRule {

  /** The circle through the points has a radius of at most R: the paper's definition (II-C). */
  CIRCUMCIRCLE,

  /**
   * The smallest circle that encloses the points has a radius of at most R: one relay can reach all
   * three. This adds obtuse triangles to the paper's stars.
   */
  ENCLOSING_CIRCLE;

  /** Returns true if the points, in any order, satisfy the rule. */
  public boolean holds(Triangle triangle, double range) {
    return triangle.isSpread(range)
        && switch (this) {
          case CIRCUMCIRCLE -> triangle.isCircumradiusAtMost(range);
          case ENCLOSING_CIRCLE -> triangle.isEnclosedBy(range);
        };
  }
}
