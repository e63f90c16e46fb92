package io.fieldstone.cli.codes;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.OutputText;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.TextInput;
import io.fieldstone.weights.distance.LightWord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * Files of words, by the ending of their names: a list of supports in JSON, a program in Sage, or
 * CSV, which has the weight and the positions of each word.
 */
final class WordFile {

  private static final String SAGE = ".sage";
  private static final String CSV_HEADER = "weight,positions";

  private WordFile() {}

  static void write(Path file, int length, List<LightWord> words) throws IOException {
    OutputText.write(file, text(file, length, words));
  }

  private static String text(Path file, int length, List<LightWord> words) {
    if (InputFiles.hasEnding(file, CodeFile.JSON)) {
      return words.stream()
          .map(word -> JsonMapper.shared().writeValueAsString(word.positions()))
          .collect(Collectors.joining(",\n ", "[", "]\n"));
    }
    if (InputFiles.hasEnding(file, SAGE)) {
      return words.stream()
          .map(word ->
              word.positions().stream()
                  .map(position -> position + ": 1")
                  .collect(
                      Collectors.joining(
                          ", ",
                          String.format(Locale.ROOT, "    vector(GF(2), %d, {", length),
                          "}),\n")))
          .collect(Collectors.joining("", "words = [\n", "]\n"));
    }
    return words.stream()
        .map(word -> word.weight() + "," + positions(word) + "\n")
        .collect(Collectors.joining("", CSV_HEADER + "\n", ""));
  }

  /** Returns the positions of a word, separated by spaces. */
  static String positions(LightWord word) {
    return word.positions().stream().map(String::valueOf).collect(Collectors.joining(" "));
  }

  /**
   * Reads words of a file in CSV or JSON.
   *
   * @param length the positions of a word
   */
  static List<LightWord> read(Session session, Path file, int length) throws IOException, Failure {
    String name = TextInput.name(file);
    String text = TextInput.text(session, file);
    return InputFiles.hasEnding(file, CodeFile.JSON)
        ? SupportsJson.parse(name, text, length).stream().map(LightWord::new).toList()
        : parseCsv(name, text, length);
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
