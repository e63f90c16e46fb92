package io.fieldstone.cli.crc;

import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcValue;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A checksum and its file, as a line of text: {@code HEX FILE} as GNU's {@code sha256sum} writes
 * it, or {@code NAME (FILE) = HEX} as BSD's tools do, which says the algorithm too. A line feed, a
 * carriage return or a backslash in a file name is escaped as {@code \n}, {@code \r} or {@code \\},
 * and the line then begins with a backslash; all other characters stand for themselves.
 *
 * @param model the algorithm
 * @param checksum of the file
 * @param path the file
 */
record CrcLine(CrcModel model, CrcValue checksum, Path path) {

  private static final Pattern GNU =
      Pattern.compile("(\\\\?)([0-9a-fA-F]+) [ *](.+)", Pattern.DOTALL);
  private static final Pattern BSD =
      Pattern.compile("(\\\\?)(\\S+) \\((.+)\\) = ([0-9a-fA-F]+)", Pattern.DOTALL);
  private static final Pattern ESCAPE = Pattern.compile("\\\\(.?)", Pattern.DOTALL);
  private static final int HEX_BITS = 4;

  /** The line as GNU's tools write it, without its end. */
  String gnu() {
    return start() + checksum + "  " + name();
  }

  /** The line as BSD's tools write it, without its end. */
  String tagged() {
    return "%s%s (%s) = %s".formatted(start(), model.name(), name(), checksum);
  }

  /**
   * Reads a line of either kind.
   *
   * @param plain the algorithm of lines that do not say theirs
   * @return empty if the line is neither, or its checksum has another number of digits
   */
  static Optional<CrcLine> parse(String line, CrcModel plain) {
    Matcher bsd = BSD.matcher(line);
    if (bsd.matches()) {
      return CrcCatalogue.find(bsd.group(2))
          .flatMap(entry -> of(entry.model(), bsd.group(4), bsd.group(1), bsd.group(3)));
    }
    Matcher gnu = GNU.matcher(line);
    return gnu.matches() ? of(plain, gnu.group(2), gnu.group(1), gnu.group(3)) : Optional.empty();
  }

  private static Optional<CrcLine> of(CrcModel model, String hex, String escape, String name) {
    if (hex.length() != Math.ceilDiv(model.width(), HEX_BITS)) {
      return Optional.empty();
    }
    try {
      String file = escape.isEmpty() ? name : unescaped(name);
      return Optional.of(new CrcLine(model, CrcValue.parse(model.width(), hex), Path.of(file)));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // too many bits, no such escape, or a name that no file can have
    }
  }

  /** The file's name on one line: escaped, and with a backslash before it, where it has breaks. */
  String shownName() {
    String shown = path.toString();
    return shown.contains("\n") || shown.contains("\r") ? start() + name() : shown;
  }

  private String start() {
    return name().equals(path.toString()) ? "" : "\\";
  }

  private String name() {
    return path.toString().replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
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
                  default -> throw new IllegalArgumentException("no such escape in " + name);
                }));
  }
}
