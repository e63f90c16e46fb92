package io.fieldstone.bench.report;

/** A part of a report: a table, or a chart of one. */
public sealed interface Part permits Table, Chart {

  /** Short name for files, letters, digits and hyphens. */
  String name();

  /** What it shows. */
  String title();
}
