package io.fieldstone.hybrid;

/**
 * A job that can be split along one dimension.
 *
 * @param kind class of jobs with the same rates
 * @param units length of the dimension that is split
 * @param granule units that are not split, ≥ 1; all units if the job is not split
 * @param slice runs units on a part
 */
record SharedJob(JobKind kind, long units, long granule, Slice slice) {

  /**
   * Runs units {@code from} … {@code to − 1} on a part. Must be idempotent: measurements run units
   * again, also on other parts.
   */
  interface Slice {
    void run(int part, long from, long to);
  }

  /**
   * Returns a job that is split according to a rule.
   *
   * @param work work of the job, in multiply-accumulates
   */
  static SharedJob of(JobKind kind, SplitRule rule, long units, double work, Slice slice) {
    return new SharedJob(kind, units, rule.granule(kind.split(), units, work), slice);
  }

  /** Returns the multiply-accumulates of {@code count} products of m×n by n×k, at least 1. */
  static double work(long count, int m, int n, int k) {
    return Math.max(1, (double) count * m * n * k);
  }
}
