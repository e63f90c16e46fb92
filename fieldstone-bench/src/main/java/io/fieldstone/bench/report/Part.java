package io.fieldstone.bench.report;

/** A part of a report: a table or a chart. */
public sealed interface Part permits Table, Chart {

  /** Returns a short name for files: letters, digits and hyphens. */
  String name();

  /** Returns the title. */
  String title();
}
