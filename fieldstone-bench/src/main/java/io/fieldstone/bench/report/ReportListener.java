package io.fieldstone.bench.report;

/**
 * Told what a running benchmark has found, part by part, so that one that is stopped has said what
 * it had. Called on the thread that runs the benchmark, between measurements.
 */
@FunctionalInterface
public interface ReportListener {

  /** Tells nobody. */
  ReportListener NONE = (_, _) -> {};

  /**
   * Takes note of a part.
   *
   * @param soFar the report as far as it has come, this part included
   * @param part that is new
   */
  void partAdded(Report soFar, Part part);
}
