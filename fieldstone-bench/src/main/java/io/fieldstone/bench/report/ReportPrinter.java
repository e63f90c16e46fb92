package io.fieldstone.bench.report;

import java.io.PrintStream;

/** Prints a report as text while it grows: its heading, then each table. Not thread-safe. */
public final class ReportPrinter implements ReportListener {

  private final PrintStream out;
  private boolean hasHeading;

  /** Prints to a stream; the heading is printed with the first part. */
  public ReportPrinter(PrintStream out) {
    this.out = out;
  }

  @Override
  public void partAdded(Report soFar, Part part) {
    if (!hasHeading) {
      out.print(TextReport.heading(soFar));
      hasHeading = true;
    }
    if (part instanceof Table table) {
      out.print(TextReport.of(table));
      out.flush();
    }
  }
}
