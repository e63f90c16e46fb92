package io.fieldstone.bench.report;

/** A part of a report: a table, a chart of figures, or a timeline. */
public sealed interface Part permits Table, Plot, Gantt {

  /** Returns a short name for files: letters, digits and hyphens. */
  String name();

  /** Returns the title. */
  String title();
}
