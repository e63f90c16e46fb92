package io.fieldstone.chart.drawing;

/** Formats numbers of plans. */
public final class DecimalText {

  /** The maximum magnitude of integers that are written without an exponent. */
  private static final double MAX_WHOLE = 1e15;

  private DecimalText() {}

  /** Formats a number in its shortest exact form, integers without a decimal point. */
  public static String of(double value) {
    return value == Math.rint(value) && Math.abs(value) <= MAX_WHOLE
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
