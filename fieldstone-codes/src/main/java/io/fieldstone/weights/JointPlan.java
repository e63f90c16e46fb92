package io.fieldstone.weights;

import java.util.Optional;

/** A method of computing a joint weight distribution, with its predicted cost. Thread-safe. */
public sealed interface JointPlan permits PairPlan, TransformPlan, DualPlan, OversizedPlan {

  /** Returns the name of the method. */
  String method();

  /** Returns a one-line description of the computation. */
  String description();

  /** Returns the predicted duration, from measured rates of the engine and the amount of work. */
  double predictedSeconds();

  /**
   * Returns the predicted duration of all parts together, one after the other, if the work is
   * divided ({@link #newPart}). Each part of a transform repeats some work.
   */
  default double predictedSeconds(long parts) {
    return predictedSeconds();
  }

  /** Returns the approximate bytes of memory of a part of one unit. */
  double unitBytes();

  /** Returns the approximate number of units of work. */
  double units();

  /** Returns why this plan cannot run, in a line; empty if it can. Its cost is predicted anyway. */
  default Optional<String> obstacle() {
    return Optional.empty();
  }

  /**
   * Creates a run of this plan.
   *
   * @throws IllegalArgumentException if there is an {@link #obstacle}
   */
  JointRun newRun();

  /**
   * Creates a run of some units, whose {@link JointRun#state} is to be {@linkplain JointRun#add
   * added} to a run of all.
   *
   * @param first the first unit, which {@link JointRun#unitsDone} returns at first
   * @param units the number of units, at least 1; the caller steps no further
   */
  default JointRun newPart(long first, long units) {
    JointRun run = newRun();
    run.restore(first, new long[run.state().length]);
    return run;
  }
}
