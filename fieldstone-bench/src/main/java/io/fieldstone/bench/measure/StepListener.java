package io.fieldstone.bench.measure;

/** Told what a running benchmark is at. Called on the thread that runs the benchmark. */
@FunctionalInterface
public interface StepListener {

  /** Tells nobody. */
  StepListener NONE = (what, done, total) -> {};

  /**
   * @param what the measurement that begins
   * @param done measurements finished
   * @param total measurements in all
   */
  void stepBegins(String what, int done, int total);
}
