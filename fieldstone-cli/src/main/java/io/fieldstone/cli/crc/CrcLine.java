package io.fieldstone.cli.crc;

import io.fieldstone.crc.ChecksumLine;
import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.crc.CrcValue;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a checksum list: {@code HEX FILE} as GNU's {@code sha256sum} writes it, or {@code NAME
 * (FILE) = HEX} as BSD's tools do, which includes the algorithm. A line feed, a carriage return or
 * a backslash in a file name is escaped as {@code \n}, {@code \r} or {@code \\}, and the line then
 * begins with a backslash; other characters are not escaped. In an SFV list a line is {@code FILE
 * HEX}, always of CRC-32, and nothing is escaped.
 *
 * @param model the algorithm
 * @param checksum the checksum of the file
 * @param path the file
 */
record CrcLine(CrcModel model, CrcValue checksum, Path path) {

  private static final Pattern BSD =
      Pattern.compile(
          "[ \\t]*(\\\\?)([^\\s(]+) ?\\((.+)\\)[ \\t]*=[ \\t]*([0-9a-fA-F]+)", Pattern.DOTALL);
  private static final Pattern BASE64 =
      Pattern.compile("[ \\t]*(\\\\?)([0-9a-zA-Z+/]+={0,2})[ \\t][ *](.+)", Pattern.DOTALL);
  private static final Pattern SFV =
      Pattern.compile("(.*\\S)[ \\t]+([0-9a-fA-F]{8})[ \\t]*", Pattern.DOTALL);

  /** The beginning of a comment in an SFV list. */
  static final String SFV_COMMENT = ";";

  /** Formats the line as GNU's tools do, without a line end. */
  String gnu() {
    return new ChecksumLine(checksum, path.toString()).text();
  }

  /** Formats the line as GNU's tools do, with the checksum in base64. */
  String base64() {
    return start() + CrcBase64.format(checksum) + "  " + name();
  }

  /**
   * Parses a line with a checksum in base64, two blanks or a blank and {@code *}, and a name.
   *
   * @return the line; empty if it has another format, or a checksum of another length
   */
  static Optional<CrcLine> parseBase64(String line, CrcModel model) {
    Matcher matcher = BASE64.matcher(line);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      CrcValue value = CrcBase64.parse(model.width(), matcher.group(2));
      return of(model, value.toString(), !matcher.group(1).isEmpty(), matcher.group(3));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Formats the line as BSD's tools do, without a line end. */
  String tagged() {
    return "%s%s (%s) = %s".formatted(start(), model.name(), name(), checksum);
  }

  /** Tests whether a file name can be in an SFV list, which has no escapes. */
  static boolean fitsSfv(Path file) {
    String name = file.toString();
    return name.equals(name.stripTrailing()) && !name.contains("\n") && !name.contains("\r");
  }

  /** Formats the line as in an SFV list, without a line end; only if {@link #fitsSfv}. */
  String sfv() {
    String name = path.toString();
    String shown = name.startsWith(SFV_COMMENT) ? "./" + name : name;
    return shown + " " + checksum.toString().toUpperCase(Locale.ROOT);
  }

  /**
   * Parses a line of an SFV list that is not a comment.
   *
   * @param crc32 the algorithm of SFV lists
   * @return the line; empty if it does not end in eight digits
   */
  static Optional<CrcLine> parseSfv(String line, CrcModel crc32) {
    Matcher sfv = SFV.matcher(line);
    return sfv.matches() ? of(crc32, sfv.group(2), false, sfv.group(1)) : Optional.empty();
  }

  /**
   * Parses a line that names its algorithm, with or without the blanks around it.
   *
   * @param custom an algorithm that need not be in the catalogue
   * @return the line; empty if it has another format, another algorithm or the wrong number of
   *     digits
   */
  static Optional<CrcLine> parseTagged(String line, CrcModel custom) {
    Matcher bsd = BSD.matcher(line);
    return bsd.matches()
        ? model(bsd.group(2), custom)
            .flatMap(model -> of(model, bsd.group(4), !bsd.group(1).isEmpty(), bsd.group(3)))
        : Optional.empty();
  }

  private static Optional<CrcModel> model(String name, CrcModel custom) {
    return name.equals(custom.name())
        ? Optional.of(custom)
        : CrcCatalogue.find(name).map(CrcCatalogue.Entry::model);
  }

  private static Optional<CrcLine> of(CrcModel model, String hex, boolean isEscaped, String name) {
    return ChecksumLine.of(model, hex, isEscaped, name).flatMap(line -> of(model, line));
  }

  /** Returns the path of a name; empty if it cannot be that of a file. */
  static Optional<Path> path(String name) {
    try {
      return Optional.of(Path.of(name));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /** Adds the algorithm to a line; empty if the name cannot be that of a file. */
  static Optional<CrcLine> of(CrcModel model, ChecksumLine line) {
    return path(line.name()).map(path -> new CrcLine(model, line.checksum(), path));
  }

  /**
   * Returns the file name on one line; one with line breaks is escaped and preceded by a backslash.
   */
  String shownName() {
    String shown = path.toString();
    return shown.contains("\n") || shown.contains("\r") ? start() + name() : shown;
  }

  private String start() {
    return ChecksumLine.start(path.toString());
  }

  private String name() {
    return ChecksumLine.escaped(path.toString());
  }
}
