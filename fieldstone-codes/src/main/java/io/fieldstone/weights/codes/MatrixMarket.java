package io.fieldstone.weights.codes;

import io.fieldstone.field.Gf2Matrix;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Parses MatrixMarket (Boisvert, Pozo and Remington, "The Matrix Market exchange formats", 1996):
 * coordinates or arrays of pattern, integer or real entries that are 0 or 1, general or symmetric.
 */
final class MatrixMarket {

  static final String BANNER = "%%MatrixMarket";

  private static final String COORDINATE = "coordinate";
  private static final String PATTERN = "pattern";

  private final String source;
  private final int maxSize;
  private final List<Line> lines = new ArrayList<>();
  private final boolean isCoordinate;
  private final boolean isPattern;
  private final boolean isSymmetric;

  private record Line(int number, List<String> words) {}

  private MatrixMarket(String source, String text, int maxSize) throws MalformedMatrixException {
    this.source = source;
    this.maxSize = maxSize;
    int number = 0;
    String banner = "";
    for (String line : text.split("\\R", -1)) {
      number++;
      if (number == 1) {
        banner = line.toLowerCase(Locale.ROOT).strip();
      } else if (!line.isBlank() && !line.startsWith("%")) {
        lines.add(new Line(number, List.of(line.strip().split("\\s+"))));
      }
    }
    String[] words = banner.split("\\s+");
    boolean isKnown =
        words.length == 5
            && words[1].equals("matrix")
            && List.of(COORDINATE, "array").contains(words[2])
            && List.of(PATTERN, "integer", "real").contains(words[3])
            && List.of("general", "symmetric").contains(words[4])
            && !(words[2].equals("array") && words[3].equals(PATTERN));
    if (!isKnown) {
      throw new MalformedMatrixException(
          source,
          1,
          "'%s' is not a matrix of pattern, integer or real entries, general or symmetric"
              .formatted(banner));
    }
    isCoordinate = words[2].equals(COORDINATE);
    isPattern = words[3].equals(PATTERN);
    isSymmetric = words[4].equals("symmetric");
  }

  static Gf2Matrix parse(String source, String text, int maxSize) throws MalformedMatrixException {
    return new MatrixMarket(source, text, maxSize).matrix();
  }

  private Gf2Matrix matrix() throws MalformedMatrixException {
    if (lines.isEmpty()) {
      throw new MalformedMatrixException(source, 1, "no line with the size follows");
    }
    Line size = lines.getFirst();
    int numbers = isCoordinate ? 3 : 2;
    if (size.words().size() != numbers) {
      throw error(size, "the size has %d numbers, not %d".formatted(size.words().size(), numbers));
    }
    int rows = number(size, 0, maxSize);
    int columns = number(size, 1, maxSize);
    MatrixFile.requireSize(source, rows, columns, maxSize);
    if (isSymmetric && rows != columns) {
      throw error(size, "%d×%d is not symmetric".formatted(rows, columns));
    }
    List<Line> entries = lines.subList(1, lines.size());
    long expected =
        isCoordinate
            ? number(size, 2, rows * columns)
            : isSymmetric ? (long) rows * (rows + 1) / 2 : (long) rows * columns;
    if (entries.size() != expected) {
      throw error(lines.getLast(), "%d entries, expected %d".formatted(entries.size(), expected));
    }
    int[][] matrix = new int[rows][columns];
    int row = 0;
    int column = 0;
    for (Line line : entries) {
      if (isCoordinate) {
        row = number(line, 0, rows) - 1;
        column = number(line, 1, columns) - 1;
      }
      int entry = entry(line);
      if (isCoordinate && matrix[row][column] != 0) {
        throw error(line, "row %d, column %d is given twice".formatted(row + 1, column + 1));
      }
      matrix[row][column] = entry;
      if (isSymmetric) {
        matrix[column][row] = entry;
      }
      if (!isCoordinate && ++row == rows) {
        column++;
        row = isSymmetric ? column : 0;
      }
    }
    return Gf2Matrix.generate(rows, columns, (i, j) -> matrix[i][j]);
  }

  private int entry(Line line) throws MalformedMatrixException {
    int places = isCoordinate ? 2 : 0;
    int words = places + (isPattern ? 0 : 1);
    if (line.words().size() != words) {
      throw error(line, "%d numbers, expected %d".formatted(line.words().size(), words));
    }
    if (isPattern) {
      return 1;
    }
    String entry = line.words().get(places);
    if (!entry.matches("[01](\\.0*)?([eE][+-]?0+)?")) {
      throw error(line, "'%s' is not 0 or 1".formatted(entry));
    }
    return entry.charAt(0) - '0';
  }

  private int number(Line line, int place, int max) throws MalformedMatrixException {
    String word = place < line.words().size() ? line.words().get(place) : "";
    int number = word.matches("\\d{1,8}") ? Integer.parseInt(word) : 0;
    if (number < 1 || number > max) {
      throw error(line, "'%s' is not in 1…%d".formatted(word, max));
    }
    return number;
  }

  private MalformedMatrixException error(Line line, String problem) {
    return new MalformedMatrixException(source, line.number(), problem);
  }
}
