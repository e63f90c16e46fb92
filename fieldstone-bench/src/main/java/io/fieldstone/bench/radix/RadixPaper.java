package io.fieldstone.bench.radix;

import java.util.List;

/**
 * Holds the figures of Lee, Lo, Chen, Chung and Chung (the paper of {@code bench radix}), Sec.
 * IV-B. They are from a Tesla C2050 under CUDA 4.0, for integers from and to main memory.
 */
final class RadixPaper {

  private RadixPaper() {}

  /** Microseconds of Table I, for a number of uniform keys. */
  record Time(long keys, double original, double modified) {}

  /** Table I. */
  static final List<Time> TABLE_I =
      List.of(
          new Time(10_000, 674, 3_852),
          new Time(100_000, 1_564, 4_380),
          new Time(1_000_000, 9_505, 11_403),
          new Time(10_000_000, 85_948, 70_769),
          new Time(100_000_000, 850_778, 644_498));

  /** Milliseconds of an operation. */
  record Operation(String name, double original, double modified) {}

  /**
   * A profile of 10^8 keys.
   *
   * @param table its number
   * @param distribution of the keys
   * @param operations in the order of the table
   * @param total time
   */
  record Profile(
      int table, KeyDistribution distribution, List<Operation> operations, Operation total) {}

  /** Tables II and III. */
  static final List<Profile> PROFILES =
      List.of(
          new Profile(
              2,
              KeyDistribution.UNIFORM,
              List.of(
                  new Operation("reduction", 34.91, 38.35),
                  new Operation("spline-scan", 0.19, 2.77),
                  new Operation("scatter", 316.75, 318.05),
                  new Operation("MemcpyHtoD", 261.18, 262.11),
                  new Operation("MemcpyDtoH", 238.49, 241.62),
                  new Operation("bucketing and alignment", 0, 0.08),
                  new Operation("overlap of output data", 0, 222.30)),
              new Operation("total time", 851.52, 640.67)),
          new Profile(
              3,
              KeyDistribution.NORMAL,
              List.of(
                  new Operation("reduction", 34.86, 47.32),
                  new Operation("spine scan", 0.19, 10.51),
                  new Operation("scatter", 291.04, 296.96),
                  new Operation("MemcpyHtoD", 261.17, 262.09),
                  new Operation("MemcpyDtoH", 238.49, 242.27),
                  new Operation("bucketing and alignment", 0, 0.37),
                  new Operation("load balance", 0, 0.02),
                  new Operation("overlap of output data", 0, 213.89)),
              new Operation("total time", 825.76, 645.64)));

  /** Number of keys of a profile. */
  static final long PROFILED = 100_000_000;
}
