package io.fieldstone.weights;

/**
 * A stepwise computation of a joint weight distribution. The runner adjusts the size of steps to
 * about a second. For one thread at a time.
 */
public interface JointRun extends AutoCloseable {

  /** Returns the total units of work. */
  long units();

  /** Returns the completed units of work. */
  long unitsDone();

  /**
   * Processes at most {@code units} more units.
   *
   * @param units at least 1
   */
  void step(long units);

  /** Returns the intermediate result, from which a run of the same plan can be resumed. */
  long[] state();

  /**
   * Resumes from the state of another run of the same plan.
   *
   * @throws IllegalArgumentException if it is not such a state
   */
  void restore(long unitsDone, long[] state);

  /**
   * Adds the intermediate result of a {@linkplain JointPlan#newPart part} of the same plan, for
   * work that is divided. Parts add up in any order.
   *
   * @param units the units that the part did
   * @param state its {@link #state}
   * @throws IllegalArgumentException if it is not such a state, or has more units than are left
   */
  void add(long units, long[] state);

  /**
   * Returns the distribution.
   *
   * @throws IllegalStateException if the run is not complete
   */
  JointWeightDistribution result();

  /** Frees the engine memory. Idempotent. */
  @Override
  void close();
}
