package io.fieldstone.engine.stars;

import io.fieldstone.plane.Triangle;

/** When three points that are more than the range R apart from each other are a 3-star. */
public enum StarRule {

  /** The circle through them has a radius of at most R: the paper's definition (II-C). */
  CIRCUMCIRCLE,

  /**
   * The smallest circle that holds them has: some point is within R of all three, so one relay can
   * serve them. More triples than the paper's, by those with an obtuse angle.
   */
  ENCLOSING_CIRCLE;

  /** The definition, for points in any order. */
  public boolean holds(Triangle triangle, double range) {
    return triangle.isSpread(range)
        && switch (this) {
          case CIRCUMCIRCLE -> triangle.isCircumradiusAtMost(range);
          case ENCLOSING_CIRCLE -> triangle.isEnclosedBy(range);
        };
  }
}
