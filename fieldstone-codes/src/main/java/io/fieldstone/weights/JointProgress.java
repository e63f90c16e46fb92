package io.fieldstone.weights;

import java.time.Duration;

/** Receives the progress of a joint weight distribution. */
public interface JointProgress {

  /** Ignores all progress. */
  JointProgress NONE = (_, _, _) -> true;

  /**
   * Called after each step, about every second.
   *
   * @param done the fraction of the work that is done, 0 … 1
   * @param elapsed the time since this run was started or resumed
   * @param remaining the estimated remaining time
   * @return true to continue; false to stop the run, which keeps its checkpoint
   */
  boolean update(double done, Duration elapsed, Duration remaining);
}
