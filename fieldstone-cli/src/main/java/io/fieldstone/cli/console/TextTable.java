package io.fieldstone.cli.console;

import io.fieldstone.stream.file.Printable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Formats a table: text aligned left, numbers aligned right, columns two spaces apart. A cell is a
 * {@link Printable#line}.
 */
public final class TextTable {

  private static final String GAP = "  ";

  private final List<Column> columns = new ArrayList<>();

  /** All cells of all rows, one after the other: a list of files may have a million rows. */
  private final StringBuilder cells = new StringBuilder();

  /** The end of each cell in {@link #cells}. */
  private int[] ends = new int[64];

  private int count;

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
  public TextTable row(Object... row) {
    if (row.length != columns.size()) {
      throw new IllegalArgumentException(row.length + " cells for " + columns.size() + " columns");
    }
    for (Object cell : row) {
      if (count == ends.length) {
        ends = Arrays.copyOf(ends, 2 * count);
      }
      ends[count++] = cells.append(Printable.line(cell)).length();
    }
    return this;
  }

  /**
   * Returns the table, with a header line unless all titles are empty; each line ends with a line
   * feed.
   */
  @Override
  public String toString() {
    boolean hasHeader = columns.stream().anyMatch(column -> !column.title().isEmpty());
    String all = cells.toString();
    int[] widths = new int[columns.size()];
    for (int column = 0; column < widths.length; column++) {
      String title = columns.get(column).title();
      widths[column] = width(title, 0, title.length());
      for (int cell = column; cell < count; cell += widths.length) {
        widths[column] = Math.max(widths[column], width(all, start(cell), ends[cell]));
      }
    }
    StringBuilder text = new StringBuilder(all.length() + count);
    if (hasHeader) {
      for (int column = 0; column < widths.length; column++) {
        String title = columns.get(column).title();
        append(text, column, title, 0, title.length(), widths);
      }
    }
    for (int cell = 0; cell < count; cell++) {
      append(text, cell % widths.length, all, start(cell), ends[cell], widths);
    }
    return text.toString();
  }

  private int start(int cell) {
    return cell == 0 ? 0 : ends[cell - 1];
  }

  /** Appends a cell, and ends the line after the last one. */
  private void append(StringBuilder text, int column, String cell, int from, int to, int[] widths) {
    int padding = widths[column] - width(cell, from, to);
    boolean isRight = columns.get(column).isRight();
    text.append(column == 0 ? "" : GAP);
    text.repeat(' ', isRight ? padding : 0).append(cell, from, to);
    text.repeat(' ', isRight ? 0 : padding);
    if (column == widths.length - 1) {
      int end = text.length();
      while (end > 0 && text.charAt(end - 1) == ' ') {
        end--;
      }
      text.setLength(end);
      text.append('\n');
    }
  }

  /** Returns the columns of a terminal that a cell takes. */
  private static int width(String cell, int from, int to) {
    return cell.codePointCount(from, to);
  }
}
