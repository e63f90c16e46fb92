package io.fieldstone.bench;

/** Told what a running benchmark is at. Called on the thread that runs the benchmark. */
@FunctionalInterface
public interface Progress {

  /** Tells nobody. */
  Progress NONE = (what, done, total) -> {};

  /**
   * @param what the measurement that begins
   * @param done measurements finished
   * @param total measurements in all
   */
  void begin(String what, int done, int total);
}
