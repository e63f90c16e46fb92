package io.fieldstone.cli.codes;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.OutputText;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.TextInput;
import io.fieldstone.weights.codes.MalformedMatrixException;
import io.fieldstone.weights.codes.PauliText;
import io.fieldstone.weights.distance.LightWord;
import io.fieldstone.weights.distance.StabilizerWords;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * Files of words, by the ending of their names: a list of supports in JSON, a program in Sage, or
 * CSV, which has the weight and the positions of each word. In place of positions, Pauli operators
 * have their letters, and in Sage the bits (X|Z).
 */
final class WordFile {

  private static final String SAGE = ".sage";
  private static final String CSV_HEADER = "weight,positions";
  private static final String OPERATOR_HEADER = "weight,operator";

  private WordFile() {}

  static void write(Path file, Side side, List<LightWord> words) throws IOException {
    OutputText.write(file, text(file, side, words));
  }

  private static String text(Path file, Side side, List<LightWord> words) {
    if (InputFiles.hasEnding(file, CodeFile.JSON)) {
      return words.stream()
          .map(word ->
              JsonMapper.shared()
                  .writeValueAsString(
                      side.letters(word).map(Object.class::cast).orElseGet(word::positions)))
          .collect(Collectors.joining(",\n ", "[", "]\n"));
    }
    if (InputFiles.hasEnding(file, SAGE)) {
      int length = side.paulis().isPresent() ? 2 * side.length() : side.length();
      return words.stream()
          .map(word ->
              side.ones(word).stream()
                  .map(position -> position + ": 1")
                  .collect(
                      Collectors.joining(
                          ", ",
                          String.format(Locale.ROOT, "    vector(GF(2), %d, {", length),
                          "}),\n")))
          .collect(Collectors.joining("", "words = [\n", "]\n"));
    }
    return words.stream()
        .map(word -> side.weight(word) + "," + side.text(word) + "\n")
        .collect(
            Collectors.joining(
                "", (side.paulis().isPresent() ? OPERATOR_HEADER : CSV_HEADER) + "\n", ""));
  }

  /** Reads words of a side from a file in CSV or JSON. */
  static List<LightWord> read(Session session, Path file, Side side) throws IOException, Failure {
    String name = TextInput.name(file);
    String text = TextInput.text(session, file);
    boolean isJson = InputFiles.hasEnding(file, CodeFile.JSON);
    if (side.paulis().isPresent()) {
      String lines = isJson ? OperatorsJson.lines(name, text) : text;
      return parseOperators(name, lines, side.paulis().get());
    }
    return isJson
        ? SupportsJson.parse(name, text, side.length()).stream().map(LightWord::new).toList()
        : parseCsv(name, text, side.length());
  }

  /**
   * Parses lines of operators.
   *
   * @param text each line may begin with the weight of its operator and a comma
   */
  static List<LightWord> parseOperators(String name, String text, StabilizerWords operators)
      throws Failure {
    List<String> letters = new ArrayList<>();
    List<String> weights = new ArrayList<>();
    for (String line : text.lines().toList()) {
      int comma = line.indexOf(',');
      boolean isHeader = line.equals(OPERATOR_HEADER);
      letters.add(isHeader ? "" : line.substring(comma + 1));
      weights.add(isHeader || comma < 0 ? "" : line.substring(0, comma).strip());
    }
    List<LightWord> words;
    try {
      words =
          operators.wordsOf(
              PauliText.parse(name, String.join("\n", letters), operators.code().qubits()));
    } catch (MalformedMatrixException e) {
      throw new Failure("not Pauli operators", String.valueOf(e.getMessage()), e);
    } catch (IllegalArgumentException e) {
      throw new Failure(String.valueOf(e.getMessage()), name, e);
    }
    int next = 0;
    for (int line = 0; line < letters.size(); line++) {
      if (!PauliText.isEmpty(letters.get(line))) {
        int weight = operators.qubits(words.get(next++)).size();
        if (!weights.get(line).isEmpty() && !weights.get(line).equals(String.valueOf(weight))) {
          throw new Failure(
              "an operator of weight %d, not %s".formatted(weight, weights.get(line)),
              name + ", line " + (line + 1));
        }
      }
    }
    return words;
  }

  static List<LightWord> parseCsv(String name, String text, int length) throws Failure {
    List<LightWord> words = new ArrayList<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String[] fields = line.split(",", -1);
      if (line.isBlank() || line.equals(CSV_HEADER)) {
        continue;
      }
      LightWord word =
          new LightWord(positions(name + ", line " + number, fields[fields.length - 1], length));
      if (fields.length != 2 || !fields[0].strip().equals(String.valueOf(word.weight()))) {
        throw new Failure(
            "'%s' is not the number of positions and the positions".formatted(line),
            name + ", line " + number);
      }
      words.add(word);
    }
    if (words.isEmpty()) {
      throw new Failure("no word", name);
    }
    return words;
  }

  private static List<Integer> positions(String place, String text, int length) throws Failure {
    List<Integer> positions = new ArrayList<>();
    for (String position : text.strip().split("\\s+")) {
      if (!position.matches("\\d{1,5}") || Integer.parseInt(position) >= length) {
        throw new Failure("'%s' is not a position in 0…%d".formatted(position, length - 1), place);
      }
      int next = Integer.parseInt(position);
      if (!positions.isEmpty() && next <= positions.getLast()) {
        throw new Failure("position %d does not ascend".formatted(next), place);
      }
      positions.add(next);
    }
    return positions;
  }
}
