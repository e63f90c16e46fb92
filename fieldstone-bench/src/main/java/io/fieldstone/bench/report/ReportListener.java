package io.fieldstone.bench.report;

/**
 * Receives each part of a report as soon as it is measured, so that an interrupted run keeps its
 * results. Called between measurements, on the thread that runs the benchmark.
 */
@FunctionalInterface
public interface ReportListener {

  /** Ignores all parts. */
  ReportListener NONE = (_, _) -> {};

  /**
   * Receives a new part.
   *
   * @param soFar the report so far, with the new part
   * @param part the new part
   */
  void partAdded(Report soFar, Part part);
}
