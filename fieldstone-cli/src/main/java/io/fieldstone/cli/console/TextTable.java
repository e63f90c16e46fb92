package io.fieldstone.cli.console;

import io.fieldstone.stream.file.Printable;
import java.util.ArrayList;
import java.util.List;

/**
 * Formats a table: text aligned left, numbers aligned right, columns two spaces apart. A cell is a
 * {@link Printable#line}.
 */
public final class TextTable {

  private static final String GAP = "  ";

  private final List<Column> columns = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  private record Column(String title, boolean isRight) {}

  /** Adds a column of text. */
  public TextTable text(String title) {
    columns.add(new Column(title, false));
    return this;
  }

  /** Adds a column of numbers. */
  public TextTable number(String title) {
    columns.add(new Column(title, true));
    return this;
  }

  /** Adds a row with one cell per column. */
  public TextTable row(Object... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          cells.length + " cells for " + columns.size() + " columns");
    }
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(Printable.line(cell));
    }
    rows.add(row);
    return this;
  }

  /**
   * Returns the table, with a header line unless all titles are empty; each line ends with a line
   * feed.
   */
  @Override
  public String toString() {
    List<List<String>> lines = new ArrayList<>();
    if (columns.stream().anyMatch(column -> !column.title().isEmpty())) {
      lines.add(columns.stream().map(Column::title).toList());
    }
    lines.addAll(rows);
    int[] widths = new int[columns.size()];
    for (List<String> line : lines) {
      for (int column = 0; column < widths.length; column++) {
        String cell = line.get(column);
        widths[column] = Math.max(widths[column], cell.codePointCount(0, cell.length()));
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      StringBuilder cells = new StringBuilder();
      for (int column = 0; column < widths.length; column++) {
        String cell = line.get(column);
        String padding = " ".repeat(widths[column] - cell.codePointCount(0, cell.length()));
        cells.append(column == 0 ? "" : GAP);
        cells.append(columns.get(column).isRight() ? padding + cell : cell + padding);
      }
      text.append(cells.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
