package io.fieldstone.papers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tables that docs/papers.md names, each with its benchmark and, if it names one, section. */
final class PapersPage {

  /** A command, or the word that the names of tables follow. */
  private static final Pattern NAMES =
      Pattern.compile(
          "`bench (?<name>[\\w-]+)(?: --section (?<section>[\\w-]+))?`"
              + "|\\btables?(?: and charts)? (?<tables>`[\\w-]+`(?:(?:, | to )`[\\w-]+`)*)");

  private static final Pattern TABLE = Pattern.compile("`([\\w-]+)`");

  /** The benchmark of each chapter. */
  private static final Map<String, String> BENCHMARKS =
      Map.of(
          "Nuclei", "nuclei",
          "HPDS", "hpds",
          "JWD", "jwd",
          "PCRC", "pcrc",
          "Radix", "radix",
          "3-star", "3-star");

  /**
   * A table.
   *
   * @param line its place on the page
   * @param benchmark the name of the command before it in its row, else of the paper
   * @param section that command's section
   */
  record Named(int line, String benchmark, Optional<String> section, String table) {}

  private PapersPage() {}

  static List<Named> tables() throws IOException {
    List<Named> found = new ArrayList<>();
    List<String> lines =
        Files.readAllLines(Path.of(System.getProperty("basedir", "."), "..", "docs", "papers.md"));
    String paper = "";
    for (int line = 0; line < lines.size(); line++) {
      if (lines.get(line).startsWith("## ")) {
        paper = BENCHMARKS.getOrDefault(lines.get(line).substring(3), "");
      } else if (lines.get(line).startsWith("|")) {
        addRow(line + 1, lines.get(line), paper, found);
      }
    }
    return found;
  }

  private static void addRow(int line, String row, String paper, List<Named> found) {
    String benchmark = paper;
    Optional<String> section = Optional.empty();
    Matcher names = NAMES.matcher(row);
    while (names.find()) {
      if (names.group("name") != null) {
        benchmark = names.group("name");
        section = Optional.ofNullable(names.group("section"));
      } else {
        Matcher tables = TABLE.matcher(names.group("tables"));
        while (tables.find()) {
          found.add(new Named(line, benchmark, section, tables.group(1)));
        }
      }
    }
  }
}
