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
  record Operation(double original, double modified) {

    Operation plus(Operation other) {
      return new Operation(original + other.original, modified + other.modified);
    }
  }

  /**
   * A profile of 10^8 keys. The operations add up to the total plus the overlap.
   *
   * @param table its number
   * @param distribution of the keys
   * @param spine "spline-scan" in Table II, "spine scan" in Table III
   * @param upload "MemcpyHtoD"
   * @param download "MemcpyDtoH"
   * @param balance "bucketing and alignment", and "load balance" of Table III
   * @param overlap of the download with other operations
   */
  record Profile(
      int table,
      KeyDistribution distribution,
      Operation reduction,
      Operation spine,
      Operation scatter,
      Operation upload,
      Operation download,
      Operation balance,
      Operation overlap,
      Operation total) {}

  /** Tables II and III. */
  static final List<Profile> PROFILES =
      List.of(
          new Profile(
              2,
              KeyDistribution.UNIFORM,
              new Operation(34.91, 38.35),
              new Operation(0.19, 2.77),
              new Operation(316.75, 318.05),
              new Operation(261.18, 262.11),
              new Operation(238.49, 241.62),
              new Operation(0, 0.08),
              new Operation(0, 222.30),
              new Operation(851.52, 640.67)),
          new Profile(
              3,
              KeyDistribution.NORMAL,
              new Operation(34.86, 47.32),
              new Operation(0.19, 10.51),
              new Operation(291.04, 296.96),
              new Operation(261.17, 262.09),
              new Operation(238.49, 242.27),
              new Operation(0, 0.37).plus(new Operation(0, 0.02)),
              new Operation(0, 213.89),
              new Operation(825.76, 645.64)));

  /** Number of keys of a profile. */
  static final long PROFILED = 100_000_000;
}
