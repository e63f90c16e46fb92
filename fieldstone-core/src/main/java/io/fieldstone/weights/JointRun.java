package io.fieldstone.weights;

/**
 * A joint weight distribution in the making, a step at a time. Steps take about a second once the
 * first few have shown how much that is. For one thread at a time.
 */
public interface JointRun extends AutoCloseable {

  /** Units of work there are. */
  long units();

  /** How many of them are done. */
  long unitsDone();

  /**
   * Does up to {@code units} more of them.
   *
   * @param units at least 1
   */
  void step(long units);

  /** What has been found so far, from which a run of the same plan can go on. */
  long[] state();

  /**
   * Goes on from the state of another run of the same plan.
   *
   * @throws IllegalArgumentException if it is none
   */
  void restore(long unitsDone, long[] state);

  /**
   * The distribution.
   *
   * @throws IllegalStateException if units are left to do
   */
  JointWeightDistribution result();

  /** Frees what the engine holds. Idempotent. */
  @Override
  void close();
}
