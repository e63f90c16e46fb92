package io.fieldstone.hybrid;

/**
 * Work that can be cut along one dimension.
 *
 * @param kind jobs of one kind cost a part about the same for the same work
 * @param units length of the dimension that {@code kind} names
 * @param granule units that stay together, ≥ 1; all of them if the job is not to be cut
 * @param slice does a run of units on a part
 * @param ending what is left to do when all slices are done
 */
record Job(Kind kind, long units, long granule, Slice slice, Ending ending) {

  /**
   * Does units {@code from} … {@code to − 1} on a part. May be called again for the same units, on
   * another part too, and then writes the same.
   */
  interface Slice {
    void run(int part, long from, long to);
  }

  /** Puts together what the slices have done; its time is the job's. */
  interface Ending {
    /** Nothing is left to do. */
    Ending NONE = _ -> {};

    /** Does what is left, of slices that were divided so. */
    void run(Shares division);
  }

  /**
   * A job that is cut if the rule says that it is worth it.
   *
   * @param work all of it, in multiply-accumulates
   */
  static Job of(Kind kind, SplitRule rule, long units, double work, Slice slice) {
    return of(kind, rule, units, work, slice, Ending.NONE);
  }

  /**
   * A job that is cut if the rule says that it is worth it, and then put together.
   *
   * @param work all of it, in multiply-accumulates
   */
  static Job of(Kind kind, SplitRule rule, long units, double work, Slice slice, Ending ending) {
    long granule = rule.granule(kind.split(), units, work);
    return new Job(kind, units, granule, slice, ending);
  }

  /** Multiply-accumulates of {@code count} products of m×n by n×k, or 1 if there are none. */
  static double work(long count, int m, int n, int k) {
    return Math.max(1, (double) count * m * n * k);
  }
}
