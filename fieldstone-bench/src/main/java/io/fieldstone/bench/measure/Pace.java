package io.fieldstone.bench.measure;

import java.time.Duration;

/**
 * The time that a benchmark may take.
 *
 * @param warmUp time for which each candidate runs before it is measured, so that C2 compiles it
 * @param measured time for which each candidate is measured
 * @param sample shortest time of a sample; shorter work is repeated within a sample
 * @param minSamples the minimum number of samples of each candidate, for any duration, ≥ 1
 * @param maxSamples samples after which a candidate is done, ≥ minSamples
 * @param allShapes whether tables over many shapes visit all shapes of the paper, or a few
 * @param shrink divisor of every number of blocks, ≥ 1; above 1 only in tests of the benchmarks
 */
public record Pace(
    Duration warmUp,
    Duration measured,
    Duration sample,
    int minSamples,
    int maxSamples,
    boolean allShapes,
    int shrink) {

  /** A pace at which a table takes a few minutes. */
  public static final Pace FULL =
      new Pace(
          Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofMillis(2), 3, 1000, true, 1);

  /** A pace at which a table takes some tens of seconds, with more noise and fewer shapes. */
  public static final Pace QUICK =
      new Pace(
          Duration.ofMillis(150), Duration.ofMillis(150), Duration.ofMillis(1), 2, 100, false, 1);

  /** Longest warm-up and measurement of a candidate in a table over many shapes. */
  private static final Duration MAX_BRIEF = Duration.ofMillis(100);

  /** The minimum divisor of the times of a candidate in such a table. */
  private static final int BRIEF_DIVISOR = 3;

  private static final int MAX_BRIEF_MIN_SAMPLES = 2;

  public Pace {
    if (minSamples < 1) {
      throw new IllegalArgumentException("min samples " + minSamples + " is less than 1");
    }
    if (shrink < 1) {
      throw new IllegalArgumentException("shrink " + shrink + " is less than 1");
    }
    if (maxSamples < minSamples) {
      throw new IllegalArgumentException(
          "max samples " + maxSamples + " is less than min samples " + minSamples);
    }
    if (warmUp.isNegative() || measured.isNegative() || sample.isNegative()) {
      throw new IllegalArgumentException(
          "negative time: warm-up %s, measured %s, sample %s".formatted(warmUp, measured, sample));
    }
  }

  /** Returns the pace for a table over many shapes. */
  Pace brief() {
    return new Pace(
        briefer(warmUp),
        briefer(measured),
        sample,
        Math.min(minSamples, MAX_BRIEF_MIN_SAMPLES),
        maxSamples,
        allShapes,
        shrink);
  }

  private static Duration briefer(Duration full) {
    Duration part = full.dividedBy(BRIEF_DIVISOR);
    return part.compareTo(MAX_BRIEF) < 0 ? part : MAX_BRIEF;
  }
}
