package io.fieldstone.bench.report;

import java.util.Locale;
import java.util.OptionalDouble;

/** One cell of a {@link Table}. */
public sealed interface Cell {

  /** Words. */
  record Words(String value) implements Cell {}

  /** A number in the unit its column names. */
  record Figure(double value) implements Cell {}

  /** An empty cell: the figure is not stated by the source, or not measured. */
  record Empty() implements Cell {}

  /** Returns a cell of words. */
  static Cell of(String words) {
    return new Words(words);
  }

  /** Returns a cell of a number. */
  static Cell of(double value) {
    return new Figure(value);
  }

  /** Returns a cell of a number, empty without one. */
  static Cell of(OptionalDouble value) {
    return value.isPresent() ? of(value.getAsDouble()) : empty();
  }

  /** Returns a cell with {@code value / other}, empty unless both are present. */
  static Cell ratio(OptionalDouble value, OptionalDouble other) {
    return value.isPresent() && other.isPresent()
        ? of(value.getAsDouble() / other.getAsDouble())
        : empty();
  }

  /** Returns an empty cell. */
  static Cell empty() {
    return new Empty();
  }

  /** Formats the cell for readers: numbers have three or four significant digits. */
  default String text() {
    return switch (this) {
      case Words(String value) -> value;
      case Figure(double value) -> rounded(value);
      case Empty _ -> "";
    };
  }

  /** Formats the cell for programs: numbers have seven significant digits. */
  default String exact() {
    return switch (this) {
      case Words(String value) -> value;
      case Figure(double value) when value == Math.rint(value) && Math.abs(value) < 1e15 ->
          Long.toString((long) value);
      case Figure(double value) -> String.format(Locale.ROOT, "%.7g", value);
      case Empty _ -> "";
    };
  }

  private static String rounded(double value) {
    double size = Math.abs(value);
    if (value == Math.rint(value) && size < 1e6) {
      return Long.toString((long) value);
    }
    if (size >= 1e6) {
      return String.format(Locale.ROOT, "%.3e", value);
    }
    int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.01 ? 3 : 5;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
