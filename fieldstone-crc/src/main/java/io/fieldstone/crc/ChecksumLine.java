package io.fieldstone.crc;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a list of checksums as GNU's {@code sha256sum} writes it: {@code HEX FILE}. A line
 * feed, a carriage return or a backslash in a file name is escaped as {@code \n}, {@code \r} or
 * {@code \\}, and the line then begins with a backslash. Immutable and thread-safe.
 *
 * @param checksum the checksum
 * @param name the name of the file, not escaped
 */
public record ChecksumLine(CrcValue checksum, String name) {

  private static final String DIGITS = "[ \\t]*(\\\\?)([0-9a-fA-F]+)[ \\t]";
  private static final Pattern LINE = Pattern.compile(DIGITS + "[ *](.+)", Pattern.DOTALL);
  private static final Pattern REVERSED = Pattern.compile(DIGITS + "(.+)", Pattern.DOTALL);
  private static final Pattern ESCAPE = Pattern.compile("\\\\(.?)", Pattern.DOTALL);
  private static final int HEX_BITS = 4;

  /** Returns the line without its end. */
  public String text() {
    return start(name) + checksum + "  " + escaped(name);
  }

  /**
   * Parses a line, in which two blanks, or a blank and {@code *}, precede the name. Blanks before
   * the digits are skipped.
   *
   * @param model the algorithm, which the line does not name
   * @return the line; empty if it has another format, the wrong number of digits or an unknown
   *     escape
   */
  public static Optional<ChecksumLine> parse(String line, CrcModel model) {
    return parse(LINE.matcher(line), model);
  }

  /**
   * Parses a line as {@code md5 -r} of BSD writes it, in which one blank precedes the name. Another
   * blank belongs to the name. So a list has lines of this kind, or those of {@link #parse}.
   *
   * @return the line; empty as by {@link #parse}
   */
  public static Optional<ChecksumLine> parseReversed(String line, CrcModel model) {
    return parse(REVERSED.matcher(line), model);
  }

  private static Optional<ChecksumLine> parse(Matcher matcher, CrcModel model) {
    return matcher.matches()
        ? of(model, matcher.group(2), !matcher.group(1).isEmpty(), matcher.group(3))
        : Optional.empty();
  }

  /**
   * Returns the content of a line of any format that escapes names in this way.
   *
   * @param digits the checksum, as many hexadecimal digits as the algorithm has
   * @param isEscaped whether the name is escaped
   * @return empty if there are other digits, too many bits or an unknown escape
   */
  public static Optional<ChecksumLine> of(
      CrcModel model, String digits, boolean isEscaped, String name) {
    if (digits.length() != Math.ceilDiv(model.width(), HEX_BITS)) {
      return Optional.empty();
    }
    try {
      CrcValue value = CrcValue.parse(model.width(), digits);
      return Optional.of(new ChecksumLine(value, isEscaped ? unescaped(name) : name));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // too many bits or an unknown escape
    }
  }

  /** Returns the backslash at the start of a line with an escaped name, else an empty string. */
  public static String start(String name) {
    return escaped(name).equals(name) ? "" : "\\";
  }

  /** Returns a name with its escapes. */
  public static String escaped(String name) {
    return name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
  }

  private static String unescaped(String name) {
    return ESCAPE
        .matcher(name)
        .replaceAll(match ->
            Matcher.quoteReplacement(
                switch (match.group(1)) {
                  case "\\" -> "\\";
                  case "n" -> "\n";
                  case "r" -> "\r";
                  default -> throw new IllegalArgumentException("unknown escape in " + name);
                }));
  }
}
