package io.fieldstone.weights;

import java.time.Duration;

/** Hears how far a joint weight distribution is. */
public interface JointProgress {

  /** For those who do not want to know. */
  JointProgress NONE = (_, _, _) -> true;

  /**
   * Called after each step, about every second.
   *
   * @param done share of the work that is done, 0 … 1
   * @param elapsed since this run began or went on
   * @param left by the pace so far
   * @return whether to go on; if not, the run stops and, if it has a checkpoint, leaves it behind
   */
  boolean update(double done, Duration elapsed, Duration left);
}
