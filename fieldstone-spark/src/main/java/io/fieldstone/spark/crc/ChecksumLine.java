package io.fieldstone.spark.crc;

import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcValue;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a list of checksums as {@code fieldstone crc} and GNU's {@code sha256sum} write it:
 * {@code HEX FILE}. A line feed, a carriage return or a backslash in a name is escaped, and the
 * line then begins with a backslash.
 *
 * @param checksum the checksum
 * @param name the name of the file
 */
public record ChecksumLine(CrcValue checksum, String name) {

  private static final Pattern LINE =
      Pattern.compile("(\\\\?)([0-9a-fA-F]+) [ *](.+)", Pattern.DOTALL);
  private static final int HEX_BITS = 4;

  /** Returns the line without its end. */
  public String text() {
    String escaped = name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    return (escaped.equals(name) ? "" : "\\") + checksum + "  " + escaped;
  }

  /** Parses a line; empty if it is not one of this algorithm. */
  public static Optional<ChecksumLine> parse(String line, CrcModel model) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches() || matcher.group(2).length() != Math.ceilDiv(model.width(), HEX_BITS)) {
      return Optional.empty();
    }
    try {
      CrcValue value = CrcValue.parse(model.width(), matcher.group(2));
      String name = matcher.group(3);
      return Optional.of(
          new ChecksumLine(value, matcher.group(1).isEmpty() ? name : unescaped(name)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String unescaped(String name) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '\\' && i + 1 < name.length()) {
        i++;
        c = name.charAt(i) == 'n' ? '\n' : name.charAt(i) == 'r' ? '\r' : name.charAt(i);
      }
      text.append(c);
    }
    return text.toString();
  }
}
