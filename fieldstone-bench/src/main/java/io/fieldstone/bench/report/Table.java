package io.fieldstone.bench.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A table of a report.
 *
 * @param name short name for files: letters, digits and hyphens
 * @param title with the section or figure of the paper if it has one
 * @param columns headings with units
 * @param rows cells, each row as long as {@code columns}
 * @param notes conditions under which the figures hold
 */
public record Table(
    String name, String title, List<String> columns, List<List<Cell>> rows, List<String> notes)
    implements Part {

  public Table {
    columns = List.copyOf(columns);
    rows = rows.stream().map(List::copyOf).toList();
    notes = List.copyOf(notes);
    for (List<Cell> row : rows) {
      if (row.size() != columns.size()) {
        throw new IllegalArgumentException(
            "a row of %d cells in table '%s' of %d columns"
                .formatted(row.size(), name, columns.size()));
      }
    }
  }

  /** Tests whether every cell of a column is a number or empty; such columns are aligned right. */
  boolean isNumeric(int column) {
    return rows.stream().noneMatch(row -> row.get(column) instanceof Cell.Words);
  }

  /** Starts a table. */
  public static Builder named(String name, String title, String... columns) {
    return new Builder(name, title, List.of(columns));
  }

  /** Collects rows and notes. */
  public static final class Builder {
    private final String name;
    private final String title;
    private final List<String> columns;
    private final List<List<Cell>> rows = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private Builder(String name, String title, List<String> columns) {
      this.name = name;
      this.title = title;
      this.columns = columns;
    }

    public Builder row(Cell... cells) {
      rows.add(List.of(cells));
      return this;
    }

    public Builder row(List<Cell> cells) {
      rows.add(cells);
      return this;
    }

    public Builder note(String note) {
      notes.add(note);
      return this;
    }

    public Table build() {
      return new Table(name, title, columns, rows, notes);
    }
  }
}
