package io.fieldstone.cuda.stars;

import io.fieldstone.engine.stars.StarField;

/** The arithmetic that decides pairs for which single precision is not conclusive. */
enum Precision {

  /** Integers of 64 bits. Single precision is exact for squared distances. */
  INTS_64("64", 724, 0, 0),

  /** Integers of 128 bits. */
  INTS_128("128", 1 << 20, 0, Precision.ERROR_BOUND),

  /** Double precision, then exact arithmetic on the host. */
  REALS("real", Double.MAX_VALUE, 10 * Math.ulp(0.5), Precision.ERROR_BOUND);

  /** Distance to a boundary, in R², below which a pair is not decided; derived in stars.cu. */
  static final float ERROR_BOUND = 0x1p-17f;

  private final String suffix;
  private final double maxRange;
  private final double squareError;
  private final float distanceError;

  Precision(String suffix, double maxRange, double squareError, float distanceError) {
    this.suffix = suffix;
    this.maxRange = maxRange;
    this.squareError = squareError;
    this.distanceError = distanceError;
  }

  /** Returns the narrowest arithmetic in which a²b²c² ≤ (4R²)³ fits. */
  static Precision of(StarField field) {
    for (Precision precision : values()) {
      if (field.isIntegral() && field.range() <= precision.maxRange) {
        return precision;
      }
    }
    return REALS;
  }

  /** Returns the suffix of kernel names. */
  String suffix() {
    return suffix;
  }

  /** Returns the relative error of a squared distance in double precision. */
  double squareError() {
    return squareError;
  }

  /** Returns the error bound of squared distances, in R²; 0 if they are exact. */
  float distanceError() {
    return distanceError;
  }

  /** Whether some pairs are left to the host. */
  boolean needsHost() {
    return this == REALS;
  }
}
