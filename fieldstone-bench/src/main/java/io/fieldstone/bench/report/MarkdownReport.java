package io.fieldstone.bench.report;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Formats a report as Markdown, with its charts as image files beside it. */
final class MarkdownReport {

  private MarkdownReport() {}

  static String of(Report report, Set<Part> drawn) {
    StringBuilder text = new StringBuilder();
    text.append("# ").append(report.title()).append("\n\n");
    text.append("Machine: ").append(report.machine().description()).append(".  \n");
    text.append("Command: `").append(report.command()).append("`  \n");
    text.append("Duration: ").append(report.duration()).append("\n\n");
    report.introduction().forEach(paragraph -> text.append(paragraph).append("\n\n"));
    for (Part part : report.parts()) {
      switch (part) {
        case Table table -> append(text, table);
        case Plot _, Gantt _ -> {
          if (drawn.contains(part)) {
            text.append("![%s](%s)\n\n".formatted(part.title(), report.fileName(part, "svg")));
          }
        }
      }
    }
    return text.toString();
  }

  private static void append(StringBuilder text, Table table) {
    text.append("## ").append(table.title()).append("\n\n");
    text.append(line(table.columns(), Function.identity()));
    text.append(
        IntStream.range(0, table.columns().size())
            .mapToObj(column -> table.isNumeric(column) ? "---:" : "---")
            .collect(Collectors.joining(" | ", "| ", " |\n")));
    table.rows().forEach(row -> text.append(line(row, Cell::text)));
    text.append('\n');
    table.notes().forEach(note -> text.append("- ").append(note).append('\n'));
    if (!table.notes().isEmpty()) {
      text.append('\n');
    }
  }

  private static <T> String line(List<T> cells, Function<T, String> text) {
    return cells.stream()
        .map(text)
        .map(cell -> cell.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}
