package io.fieldstone.cli.sensors;

import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Parses and formats decimal numbers in files. */
final class Numbers {

  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");

  /** The maximum length of a number in characters. */
  private static final int MAX_DIGITS = 400;

  /** The maximum magnitude of integers that are written without an exponent. */
  private static final double MAX_WHOLE = 1e15;

  private Numbers() {}

  /** Parses a decimal number; returns empty if the text is not a number. */
  static OptionalDouble parse(String text) {
    String digits = text.strip();
    return digits.length() <= MAX_DIGITS && DECIMAL.matcher(digits).matches()
        ? OptionalDouble.of(Double.parseDouble(digits))
        : OptionalDouble.empty();
  }

  /** Formats a number so that {@link #parse} returns the same value. */
  static String text(double value) {
    return value == Math.rint(value) && Math.abs(value) <= MAX_WHOLE
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
