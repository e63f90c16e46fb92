package io.fieldstone.hybrid;

/**
 * Work that can be cut along one dimension.
 *
 * @param kind jobs of one kind cost a part about the same for the same work
 * @param units length of the dimension that {@code kind} names
 * @param granule units that stay together, ≥ 1; all of them if the job is not to be cut
 * @param slice does a run of units on a part
 */
record SharedJob(JobKind kind, long units, long granule, Slice slice) {

  /**
   * Does units {@code from} … {@code to − 1} on a part. May be called again for the same units, on
   * another part too, and then writes the same.
   */
  interface Slice {
    void run(int part, long from, long to);
  }

  /**
   * A job that is cut if the rule says that it is worth it.
   *
   * @param work all of it, in multiply-accumulates
   */
  static SharedJob of(JobKind kind, SplitRule rule, long units, double work, Slice slice) {
    return new SharedJob(kind, units, rule.granule(kind.split(), units, work), slice);
  }

  /** Multiply-accumulates of {@code count} products of m×n by n×k, or 1 if there are none. */
  static double work(long count, int m, int n, int k) {
    return Math.max(1, (double) count * m * n * k);
  }
}
