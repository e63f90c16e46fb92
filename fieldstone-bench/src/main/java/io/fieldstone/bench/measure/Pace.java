package io.fieldstone.bench.measure;

import java.time.Duration;

/**
 * How long a benchmark may take.
 *
 * @param warmUp time each candidate runs before it is measured, so that C2 has compiled it
 * @param measured time for which each candidate is measured
 * @param sample shortest time a sample may take; shorter work is repeated within a sample
 * @param minSamples samples taken of each candidate even if that takes longer, ≥ 1
 * @param maxSamples samples after which a candidate is done, ≥ leastSamples
 * @param allShapes whether tables over many shapes visit every shape of the paper, or a few
 * @param shrink divides every number of blocks, ≥ 1; only tests of the benchmarks want another than
 *     1
 */
public record Pace(
    Duration warmUp,
    Duration measured,
    Duration sample,
    int minSamples,
    int maxSamples,
    boolean allShapes,
    int shrink) {

  /** A table in a few minutes. */
  public static final Pace FULL =
      new Pace(
          Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofMillis(2), 3, 1000, true, 1);

  /** A table in some tens of seconds, with more noise and fewer shapes. */
  public static final Pace QUICK =
      new Pace(
          Duration.ofMillis(150), Duration.ofMillis(150), Duration.ofMillis(1), 2, 100, false, 1);

  /** For tables of so many shapes that each gets a moment only. */
  private static final Duration MOMENT = Duration.ofMillis(100);

  /** And no more than such a part of what it takes for itself. */
  private static final int MOMENT_PART = 3;

  private static final int FEW_SAMPLES = 2;

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

  /** The pace of a table over many shapes: no candidate takes longer than it must. */
  Pace brief() {
    return new Pace(
        moment(warmUp),
        moment(measured),
        sample,
        Math.min(minSamples, FEW_SAMPLES),
        maxSamples,
        allShapes,
        shrink);
  }

  private static Duration moment(Duration alone) {
    Duration part = alone.dividedBy(MOMENT_PART);
    return part.compareTo(MOMENT) < 0 ? part : MOMENT;
  }
}
