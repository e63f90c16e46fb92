package io.fieldstone.weights.codes;

import io.fieldstone.field.Gf2Matrix;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Parses Pauli operators: a line of I, X, Y and Z for each, such as {@code XZZXI}. {@code _} is I,
 * too. A sign before an operator, comments from {@code #} on, empty lines and spaces are ignored.
 */
public final class PauliText {

  private static final String LETTERS = "IXZY"; // the number is x + 2z
  private static final char IDENTITY = '_';

  private PauliText() {}

  /** Returns true if the first line that is not empty starts like an operator: with a letter. */
  public static boolean isPaulis(String text) {
    return text.lines()
        .filter(line -> !isEmpty(line))
        .map(PauliText::content)
        .findFirst()
        .filter(line -> Character.isLetter(line.charAt(0)) || line.charAt(0) == IDENTITY)
        .isPresent();
  }

  /** Returns true if a line has no operator: it is blank, or has a comment or a sign only. */
  public static boolean isEmpty(String line) {
    return content(line).isEmpty();
  }

  /** Returns a line without comment, sign and spaces at its ends. */
  private static String content(String line) {
    String content = line.replaceFirst("#.*", "").strip();
    return content.startsWith("+") || content.startsWith("-")
        ? content.substring(1).strip()
        : content;
  }

  /**
   * Parses operators of equal length.
   *
   * @param source the name of the source in messages, such as the file
   * @param maxQubits the maximum length
   * @return a row (X|Z) for each, as {@link StabilizerCode} has them
   * @throws MalformedMatrixException if the text has another character, lengths differ, or there is
   *     no operator
   */
  public static Gf2Matrix parse(String source, String text, int maxQubits)
      throws MalformedMatrixException {
    List<String> operators = new ArrayList<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (!isEmpty(line)) {
        String letters = letters(source, number, line);
        operators.add(letters);
        if (letters.length() > maxQubits) {
          throw new MalformedMatrixException(
              source,
              number,
              "an operator of %d qubits, more than %d".formatted(letters.length(), maxQubits));
        }
        if (letters.length() != operators.getFirst().length()) {
          throw new MalformedMatrixException(
              source,
              number,
              "an operator of %d qubits, earlier ones have %d"
                  .formatted(letters.length(), operators.getFirst().length()));
        }
      }
    }
    if (operators.isEmpty()) {
      throw new MalformedMatrixException(source, Math.max(1, number), "no operator");
    }
    int qubits = operators.getFirst().length();
    return Gf2Matrix.generate(
        operators.size(),
        2 * qubits,
        (row, column) -> {
          int letter = LETTERS.indexOf(operators.get(row).charAt(column % qubits));
          return letter >> column / qubits & 1;
        });
  }

  private static String letters(String source, int number, String line)
      throws MalformedMatrixException {
    StringBuilder letters = new StringBuilder();
    String content = content(line);
    int start = line.indexOf(content);
    for (int place = 0; place < content.length(); place++) {
      char letter = content.charAt(place) == IDENTITY ? 'I' : content.charAt(place);
      if (LETTERS.indexOf(letter) >= 0) {
        letters.append(letter);
      } else if (!Character.isWhitespace(letter)) {
        throw new MalformedMatrixException(
            source,
            number,
            "'%c' at character %d is not I, X, Y or Z".formatted(letter, start + place + 1));
      }
    }
    return letters.toString();
  }

  /**
   * Returns the letters of an operator.
   *
   * @param ones the ones of a row (X|Z), as {@link StabilizerCode} has them
   */
  public static String format(BitSet ones, int qubits) {
    StringBuilder letters = new StringBuilder();
    for (int qubit = 0; qubit < qubits; qubit++) {
      int x = ones.get(qubit) ? 1 : 0;
      int z = ones.get(qubits + qubit) ? 1 : 0;
      letters.append(LETTERS.charAt(x + 2 * z));
    }
    return letters.toString();
  }
}
