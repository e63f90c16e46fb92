package io.fieldstone.cli;

import java.util.ArrayList;
import java.util.List;

/** The commands of a page of {@code docs}, with their output: its blocks of {@code console}. */
final class ConsolePage {

  /** Runs one line of a shell. */
  interface Shell {

    /** Returns the lines of both outputs, in their order. */
    List<String> outputOf(String line) throws Exception;
  }

  private ConsolePage() {}

  /** Returns the page with the output of this run below each command. */
  static List<String> run(List<String> page, Shell shell) throws Exception {
    List<String> actual = new ArrayList<>();
    boolean isSession = false;
    for (String line : page) {
      if (line.startsWith("```")) {
        isSession = line.equals("```console");
      }
      if (!isSession || line.equals("```console")) {
        actual.add(line);
      } else if (line.startsWith("$ ")) {
        actual.add(line);
        actual.addAll(shell.outputOf(line.substring(2)));
      }
    }
    return actual;
  }

  /**
   * Hides times and rates with their units, the widths of columns, and what an engine says about
   * itself.
   */
  static List<String> masked(List<String> lines) {
    return lines.stream()
        .map(line ->
            line.replaceAll("\\b([0-9]+ min )?[0-9.,]+ (s|h|[kMG]?B/s|[kMG] keys/s)\\b", "…")
                .replaceAll(" {2,}", "  ")
                .replaceAll("(s|, )(cpu|cuda)[^(]*\\(.*\\)$", "$1…")
                .replaceAll("(lane shuffles|affine transforms).*$", "…"))
        .toList();
  }
}
