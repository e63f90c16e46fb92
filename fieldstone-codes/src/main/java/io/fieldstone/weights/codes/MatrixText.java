package io.fieldstone.weights.codes;

import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.field.Gf2Matrix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Parses binary matrices from text.
 *
 * <p>Rows format: a line of 0s and 1s for each row, with optional spaces. Comments from {@code #}
 * on, empty lines, and a first line "n k" with the shape are ignored. Rows may be in brackets, as
 * Sage, NumPy and GAP print them: {@code [1 0 1]} on a line each, or {@code [[1, 0, 1], [0, 1,
 * 1]]}.
 *
 * <p>alist format (MacKay, "Encyclopedia of Sparse Graph Codes"): the numbers of columns and rows;
 * the maximum numbers of ones in a column and in a row; the number of ones of each column, then of
 * each row; for each column, the rows of its ones, from 1, padded with zeros. The same data by rows
 * may follow, and is checked.
 */
public final class MatrixText {

  private final String source;
  private final List<Line> lines;
  private final int maxSize;

  private MatrixText(String source, List<Line> lines, int maxSize) {
    this.source = source;
    this.lines = lines;
    this.maxSize = maxSize;
  }

  /** The characters that separate rows in brackets. */
  private static final String BRACKETS = "[];";

  /**
   * A line, or a row in brackets on one.
   *
   * @param start the characters before the text, of those that are not stripped from the line
   */
  private record Line(int number, int start, String text) {}

  /**
   * Parses rows, or alist if the text starts like it, of at most {@value BinaryWords#MAX_BITS}
   * columns.
   *
   * @param source the name of the source in messages, such as the file
   * @throws MalformedMatrixException if the text is neither
   */
  public static Gf2Matrix parse(String source, String text) throws MalformedMatrixException {
    return parse(source, text, BinaryWords.MAX_BITS);
  }

  /**
   * Parses rows, or alist if the text starts like it.
   *
   * @param source the name of the source in messages, such as the file
   * @param maxSize the maximum number of columns, and of rows of alist
   * @throws MalformedMatrixException if the text is neither
   */
  public static Gf2Matrix parse(String source, String text, int maxSize)
      throws MalformedMatrixException {
    List<Line> lines = new ArrayList<>();
    int number = 0;
    for (String line : withoutMark(text).split("\\R", -1)) {
      number++;
      String content = line.replaceFirst("#.*", "").strip();
      if (content.contains("[") || content.contains("]")) {
        addBracketed(number, content, lines);
      } else if (!content.isEmpty()) {
        // As spreadsheets and numpy.savetxt write rows.
        lines.add(
            new Line(number, 0, content.replaceAll("(?<=[01])(\\s*),", "$1 ").stripTrailing()));
      }
    }
    if (lines.isEmpty()) {
      throw new MalformedMatrixException(source, number, "no row of 0s and 1s");
    }
    MatrixText matrix = new MatrixText(source, lines, maxSize);
    return matrix.isAlist() ? matrix.alist() : matrix.rows();
  }

  /** Returns a text without the byte order mark that editors of Windows write. */
  private static String withoutMark(String text) {
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  /** Adds each row of a line that has brackets; commas and bars are spaces there. */
  private static void addBracketed(int number, String content, List<Line> lines) {
    int start = 0;
    for (int end = 0; end <= content.length(); end++) {
      if (end == content.length() || BRACKETS.indexOf(content.charAt(end)) >= 0) {
        String row = content.substring(start, end).replace(',', ' ').replace('|', ' ');
        if (!row.isBlank()) {
          lines.add(new Line(number, start, row.stripTrailing()));
        }
        start = end + 1;
      }
    }
  }

  /**
   * Returns true if the text starts with two lines of two numbers; the header of rows has one line.
   * Rows in two groups of digits start so, too, but all lines after the first are rows.
   */
  private boolean isAlist() {
    return lines.size() > 2
        && isShape(lines.get(0))
        && isShape(lines.get(1))
        && !areRows(lines.subList(1, lines.size()));
  }

  /** Returns true if all lines are equally many digits 0 and 1. */
  private static boolean areRows(List<Line> lines) {
    return lines.stream().allMatch(MatrixText::isDigits)
        && lines.stream().mapToInt(MatrixText::digits).distinct().count() == 1;
  }

  private static int digits(Line line) {
    return line.text().replaceAll("\\s", "").length();
  }

  /** Returns true if both numbers of a line are short enough for a size. */
  private static boolean isShort(Line line) {
    return line.text().matches("\\d{1,6}\\s+\\d{1,6}");
  }

  private static boolean isDigits(Line line) {
    return line.text().matches("[01\\s]+");
  }

  /** Returns true if a line that may be a row gives the numbers of digits and rows after it. */
  private boolean isHeaderOfRows() throws MalformedMatrixException {
    if (!isShort(lines.getFirst())) {
      return false;
    }
    int[] shape = numbers(lines.getFirst());
    return lines.size() > 1 && shape[1] == lines.size() - 1 && shape[0] == digits(lines.get(1));
  }

  private static boolean isShape(Line line) {
    return line.text().matches("\\d+\\s+\\d+") && !line.text().matches("[01]\\s+[01]");
  }

  private Gf2Matrix rows() throws MalformedMatrixException {
    boolean hasHeader =
        isShape(lines.getFirst()) && (!isDigits(lines.getFirst()) || isHeaderOfRows());
    List<Line> rows = hasHeader ? lines.subList(1, lines.size()) : lines;
    if (rows.isEmpty()) {
      throw error(lines.getFirst(), "no rows follow '%s'".formatted(lines.getFirst().text()));
    }
    List<String> digits = new ArrayList<>();
    for (Line line : rows) {
      digits.add(row(line));
      if (digits.getLast().length() != digits.getFirst().length()) {
        throw error(
            line,
            "the row has %d digits, earlier rows have %d"
                .formatted(digits.getLast().length(), digits.getFirst().length()));
      }
    }
    if (hasHeader) {
      int[] shape = numbers(lines.getFirst());
      if (shape[0] != digits.getFirst().length() || shape[1] != digits.size()) {
        throw error(
            lines.getFirst(),
            "the header gives n = %d and k = %d, but there are %d rows of %d digits"
                .formatted(shape[0], shape[1], digits.size(), digits.getFirst().length()));
      }
    }
    return Gf2Matrix.of(digits.toArray(String[]::new));
  }

  private String row(Line line) throws MalformedMatrixException {
    String text = line.text();
    for (int place = 0; place < text.length(); place++) {
      char digit = text.charAt(place);
      if (digit != '0' && digit != '1' && !Character.isWhitespace(digit)) {
        throw error(
            line, "'%c' at character %d is not 0 or 1".formatted(digit, line.start() + place + 1));
      }
    }
    // Not by \s, which is fewer characters than those passed over above.
    String digits =
        text.codePoints()
            .filter(each -> !Character.isWhitespace(each))
            .mapToObj(Character::toString)
            .collect(Collectors.joining());
    if (digits.length() > maxSize) {
      throw error(line, "the row has %d digits, more than %d".formatted(digits.length(), maxSize));
    }
    return digits;
  }

  private Gf2Matrix alist() throws MalformedMatrixException {
    int[] shape = numbers(lines.get(0));
    int columns = shape[0];
    int rows = shape[1];
    if (columns < 1 || columns > maxSize || rows > maxSize) {
      throw error(
          lines.get(0),
          "%d columns and %d rows are not both in 1…%d".formatted(columns, rows, maxSize));
    }
    MatrixFile.requireSize(source, Math.max(1, rows), columns, maxSize);
    if (lines.size() != 4 + columns && lines.size() != 4 + columns + rows) {
      throw error(
          lines.getLast(),
          "%d lines, expected %d for %d columns and %d rows"
              .formatted(lines.size(), 4 + columns + rows, columns, rows));
    }
    int[][] ones = new int[rows][columns];
    for (int column = 0; column < columns; column++) {
      for (int row : places(lines.get(4 + column), rows, degree(2, column, columns))) {
        ones[row - 1][column] = 1;
      }
    }
    Gf2Matrix matrix = Gf2Matrix.generate(rows, columns, (row, column) -> ones[row][column]);
    if (lines.size() > 4 + columns) {
      requireSameByRows(matrix);
    }
    return matrix;
  }

  private void requireSameByRows(Gf2Matrix matrix) throws MalformedMatrixException {
    for (int row = 0; row < matrix.rows(); row++) {
      Line line = lines.get(4 + matrix.columns() + row);
      int degree = degree(3, row, matrix.rows());
      int found = 0;
      for (int column : places(line, matrix.columns(), degree)) {
        if (matrix.get(row, column - 1) == 0) {
          throw error(line, "column %d does not list row %d".formatted(column, row + 1));
        }
        found++;
      }
      int ones = Arrays.stream(matrix.row(row)).mapToInt(Long::bitCount).sum();
      if (found != ones) {
        throw error(line, "%d ones, but the columns give %d".formatted(found, ones));
      }
    }
  }

  private int degree(int line, int place, int count) throws MalformedMatrixException {
    int[] degrees = numbers(lines.get(line));
    if (degrees.length != count) {
      throw error(lines.get(line), "%d numbers, expected %d".formatted(degrees.length, count));
    }
    return degrees[place];
  }

  /** Returns the numbers of a line without padding. */
  private int[] places(Line line, int max, int degree) throws MalformedMatrixException {
    int[] places = Arrays.stream(numbers(line)).filter(place -> place != 0).toArray();
    for (int place : places) {
      if (place > max) {
        throw error(line, "%d is not in 1…%d".formatted(place, max));
      }
    }
    if (places.length != degree || Arrays.stream(places).distinct().count() != degree) {
      throw error(
          line, "'%s' is not a list of %d different numbers".formatted(line.text(), degree));
    }
    return places;
  }

  private int[] numbers(Line line) throws MalformedMatrixException {
    String[] words = line.text().split("\\s+");
    int[] numbers = new int[words.length];
    for (int i = 0; i < words.length; i++) {
      if (!words[i].matches("\\d{1,6}")) {
        throw error(line, "'%s' is not a number in 0…999999".formatted(words[i]));
      }
      numbers[i] = Integer.parseInt(words[i]);
    }
    return numbers;
  }

  private MalformedMatrixException error(Line line, String problem) {
    return new MalformedMatrixException(source, line.number(), problem);
  }
}
