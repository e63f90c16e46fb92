package io.fieldstone.bench.measure;

/** Receives the progress of a benchmark. Called on the thread that runs the benchmark. */
@FunctionalInterface
public interface StepListener {

  /** Ignores the progress. */
  StepListener NONE = (name, done, total) -> {};

  /**
   * Receives the beginning of a measurement.
   *
   * @param name of the measurement
   * @param done measurements finished
   * @param total measurements in all
   */
  void stepBegins(String name, int done, int total);
}
