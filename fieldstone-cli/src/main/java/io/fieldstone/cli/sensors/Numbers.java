package io.fieldstone.cli.sensors;

import java.util.OptionalDouble;

/** Parses decimal numbers in files. */
final class Numbers {

  /** The maximum length of a number in characters. */
  private static final int MAX_DIGITS = 400;

  private Numbers() {}

  /** Parses a decimal number; returns empty if the text is not a number. */
  static OptionalDouble parse(String text) {
    String digits = text.strip();
    if (digits.length() > MAX_DIGITS || !hasOnlyDecimals(digits)) {
      return OptionalDouble.empty();
    }
    try {
      return OptionalDouble.of(Double.parseDouble(digits));
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  /** Tests for what excludes hexadecimal numbers, suffixes of types, and names such as NaN. */
  private static boolean hasOnlyDecimals(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && "+-.eE".indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }
}
