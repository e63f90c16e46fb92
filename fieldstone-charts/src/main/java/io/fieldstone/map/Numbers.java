package io.fieldstone.map;

/** Formats numbers of plans. */
final class Numbers {

  /** The maximum magnitude of integers that are written without an exponent. */
  private static final double MAX_WHOLE = 1e15;

  private Numbers() {}

  /** Formats a number in its shortest exact form, integers without a decimal point. */
  static String text(double value) {
    return value == Math.rint(value) && Math.abs(value) <= MAX_WHOLE
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
