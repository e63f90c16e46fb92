package io.fieldstone.bench.report;

import java.util.ArrayList;
import java.util.List;

/** Formats a report as plain text for a terminal. */
final class TextReport {

  private static final String GAP = "  ";

  private TextReport() {}

  /** Formats the lines above the tables. */
  static String heading(Report report) {
    StringBuilder text = new StringBuilder();
    text.append(report.title()).append('\n');
    text.append(report.machine().description()).append("\n\n");
    report.introduction().forEach(paragraph -> text.append(paragraph).append("\n\n"));
    return text.toString();
  }

  /** Formats one table. */
  static String of(Table table) {
    StringBuilder text = new StringBuilder();
    text.append(table.title()).append('\n');
    List<List<String>> lines = new ArrayList<>();
    lines.add(table.columns());
    table.rows().forEach(row -> lines.add(row.stream().map(Cell::text).toList()));
    int[] widths = new int[table.columns().size()];
    for (List<String> line : lines) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], line.get(column).length());
      }
    }
    for (List<String> line : lines) {
      StringBuilder row = new StringBuilder();
      for (int column = 0; column < widths.length; column++) {
        String padding = " ".repeat(widths[column] - line.get(column).length());
        row.append(GAP);
        if (table.isNumeric(column)) {
          row.append(padding).append(line.get(column));
        } else {
          row.append(line.get(column)).append(padding);
        }
      }
      text.append(row.toString().stripTrailing()).append('\n');
    }
    table.notes().forEach(note -> text.append(GAP).append("* ").append(note).append('\n'));
    return text.append('\n').toString();
  }
}
