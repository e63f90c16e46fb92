package io.fieldstone.cuda.stars;

import io.fieldstone.engine.stars.StarField;

/** In which numbers a field's pairs are decided where single precision leaves them open. */
enum Precision {

  /** Integers of 64 bits, and single precision is exact for distances. */
  INTS_64("64", 724, 0, 0),

  /** Integers of 128 bits. */
  INTS_128("128", 1 << 20, 0, Precision.DOUBT),

  /** Doubles, then the host. */
  REALS("real", Double.MAX_VALUE, 10 * Math.ulp(0.5), Precision.DOUBT);

  /** What is nearer to a boundary than so many R² is decided anew: stars.cu says why. */
  static final float DOUBT = 0x1p-17f;

  private final String suffix;
  private final double mostRange;
  private final double squareError;
  private final float distanceDoubt;

  Precision(String suffix, double mostRange, double squareError, float distanceDoubt) {
    this.suffix = suffix;
    this.mostRange = mostRange;
    this.squareError = squareError;
    this.distanceDoubt = distanceDoubt;
  }

  /** The narrowest in which a²b²c² ≤ (4R²)³ fits. */
  static Precision of(StarField field) {
    for (Precision numbers : values()) {
      if (field.isIntegral() && field.range() <= numbers.mostRange) {
        return numbers;
      }
    }
    return REALS;
  }

  /** The end of the names of their kernels. */
  String suffix() {
    return suffix;
  }

  /** Of a squared distance in double precision, relatively. */
  double squareError() {
    return squareError;
  }

  /** In R²; 0 where distances are exact. */
  float distanceDoubt() {
    return distanceDoubt;
  }

  /** Whether pairs are left to the host. */
  boolean leaveDoubts() {
    return this == REALS;
  }
}
