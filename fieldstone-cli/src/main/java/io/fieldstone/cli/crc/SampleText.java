package io.fieldstone.cli.crc;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.crc.CrcValue;
import io.fieldstone.crc.identification.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Parses samples for {@code --find}: a line has a message and its checksum, or a frame with its
 * checksum inside, in hexadecimal. {@code @FILE} in place of a message is the content of a file. In
 * CSV, messages and checksums are columns.
 */
final class SampleText {

  private static final String COMMENT = "#";
  private static final String FILE = "@";
  private static final int HEX_BITS = 4;
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Pattern BYTE_SEPARATORS = Pattern.compile("(?<=[0-9a-fA-F]{2})[:-]");
  private static final List<String> MESSAGES = List.of("message", "data", "payload", "frame");
  private static final List<String> CHECKSUMS = List.of("checksum", "crc");

  /** Reads the files that messages name. */
  interface Files {
    byte[] read(String name) throws IOException, Failure;
  }

  private final String name;
  private final Files files;
  private final List<Line> lines = new ArrayList<>();

  /** A sample as it is written; frames have an empty checksum. */
  private record Line(int number, String message, String checksum) {}

  private SampleText(String name, Files files) {
    this.name = name;
    this.files = files;
  }

  /**
   * Parses lines. What follows {@code #} is a comment.
   *
   * @param name the file, for messages
   */
  static List<Sample> parse(String name, String text, Files files) throws IOException, Failure {
    SampleText samples = new SampleText(name, files);
    int number = 0;
    for (String line : text.split("\\R", -1)) {
      number++;
      String content = line.split(COMMENT, 2)[0].strip();
      if (!content.isEmpty()) {
        String[] words = BLANKS.split(content);
        if (words.length == 2) {
          samples.lines.add(new Line(number, words[0], words[1]));
        } else {
          // A frame, perhaps with blanks between its bytes.
          samples.lines.add(new Line(number, String.join("", words), ""));
        }
      }
    }
    return samples.read();
  }

  /**
   * Parses CSV (RFC 4180) with a header.
   *
   * @param columns the names of the columns of messages and of checksums, or of frames; if it is
   *     empty, usual names are searched
   */
  static List<Sample> parseCsv(String name, String text, List<String> columns, Files files)
      throws IOException, Failure {
    SampleText samples = new SampleText(name, files);
    try {
      List<CsvRecord> records =
          CsvReader.builder()
              .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
              .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
              .allowUnclosedQuote(false)
              .ofCsvRecord(text)
              .stream()
              .toList();
      if (records.isEmpty()) {
        throw new Failure("no header", name);
      }
      List<String> header =
          records.getFirst().getFields().stream()
              .map(title -> title.strip().toLowerCase(Locale.ROOT))
              .toList();
      int message = column(name, header, columns.isEmpty() ? MESSAGES : columns.subList(0, 1));
      int checksum =
          columns.size() == 1
              ? -1
              : columns.isEmpty()
                  ? find(header, CHECKSUMS)
                  : column(name, header, columns.subList(1, 2));
      for (CsvRecord each : records.subList(1, records.size())) {
        samples.lines.add(
            new Line(
                (int) each.getStartingLineNumber(),
                field(name, each, message),
                checksum < 0 ? "" : field(name, each, checksum)));
      }
    } catch (CsvParseException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new Failure("not CSV: " + cause.getMessage(), name, e);
    }
    return samples.read();
  }

  private static int column(String name, List<String> header, List<String> titles) throws Failure {
    int column = find(header, titles);
    if (column < 0) {
      throw new Failure(
          "no column '%s'; select others with --columns".formatted(titles.getFirst()), name);
    }
    return column;
  }

  private static int find(List<String> header, List<String> titles) {
    return titles.stream()
        .mapToInt(title -> header.indexOf(title.toLowerCase(Locale.ROOT)))
        .filter(column -> column >= 0)
        .findFirst()
        .orElse(-1);
  }

  private static String field(String name, CsvRecord row, int column) throws Failure {
    String field = column < row.getFieldCount() ? row.getField(column).strip() : "";
    if (field.isEmpty()) {
      throw new Failure(
          "no value in column " + (column + 1), place(name, (int) row.getStartingLineNumber()));
    }
    return BLANKS.matcher(field).replaceAll("");
  }

  private static String place(String name, int line) {
    return name + ", line " + line;
  }

  private List<Sample> read() throws IOException, Failure {
    if (lines.isEmpty()) {
      throw new Failure("no samples", name);
    }
    boolean areFrames = lines.getFirst().checksum().isEmpty();
    int digits = 0;
    for (Line line : lines) {
      if (line.checksum().isEmpty() != areFrames) {
        throw new Failure(
            areFrames
                ? "a message with a checksum, behind frames with theirs inside"
                : "a message without a checksum",
            place(name, line.number()));
      }
      digits = Math.max(digits, withoutPrefix(line.checksum()).length());
    }
    int width = digits * HEX_BITS;
    List<Sample> samples = new ArrayList<>();
    for (Line line : lines) {
      byte[] bytes = bytes(line);
      samples.add(
          areFrames
              ? Sample.frame(line.number(), bytes)
              : Sample.of(line.number(), bytes, checksum(line, width)));
    }
    return samples;
  }

  private CrcValue checksum(Line line, int width) throws Failure {
    try {
      return CrcValue.parse(width, line.checksum());
    } catch (IllegalArgumentException e) {
      throw new Failure("checksum: " + e.getMessage(), place(name, line.number()), e);
    }
  }

  private byte[] bytes(Line line) throws IOException, Failure {
    if (line.message().startsWith(FILE)) {
      return files.read(line.message().substring(FILE.length()));
    }
    String hex = BYTE_SEPARATORS.matcher(withoutPrefix(line.message())).replaceAll("");
    Optional<Character> other =
        hex.chars()
            .filter(each -> !HexFormat.isHexDigit(each))
            .mapToObj(each -> (char) each)
            .findFirst();
    if (other.isPresent()) {
      throw new Failure(
          "'%s' is no hexadecimal digit".formatted(other.get()), place(name, line.number()));
    }
    if (hex.length() % 2 != 0) {
      throw new Failure(
          "an odd number of hexadecimal digits, %d".formatted(hex.length()),
          place(name, line.number()));
    }
    return HexFormat.of().parseHex(hex);
  }

  private static String withoutPrefix(String hex) {
    return hex.startsWith("0x") || hex.startsWith("0X") ? hex.substring(2) : hex;
  }
}
