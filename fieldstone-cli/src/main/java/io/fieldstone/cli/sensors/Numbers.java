package io.fieldstone.cli.sensors;

import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Numbers as files have them. */
final class Numbers {

  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");

  /** Digits after which a number is nothing but long. */
  private static final int MAX_DIGITS = 400;

  /** Whole numbers up to here are written as such. */
  private static final double MAX_WHOLE = 1e15;

  private Numbers() {}

  /** A decimal number, with a point if it has a fraction; empty if the text is none. */
  static OptionalDouble parse(String text) {
    String digits = text.strip();
    return digits.length() <= MAX_DIGITS && DECIMAL.matcher(digits).matches()
        ? OptionalDouble.of(Double.parseDouble(digits))
        : OptionalDouble.empty();
  }

  /** What {@link #parse} makes the same number of. */
  static String text(double value) {
    return value == Math.rint(value) && Math.abs(value) <= MAX_WHOLE
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
