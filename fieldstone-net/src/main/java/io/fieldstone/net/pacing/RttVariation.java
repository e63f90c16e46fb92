package io.fieldstone.net.pacing;

import java.util.Arrays;

/**
 * How much the round-trip time varies from report to report: the median of half the absolute second
 * difference of the last 16 reports; of the last 10 s the largest one. A queue that grows or
 * shrinks steadily has no second difference, and a few outliers of a host do not change the median.
 */
final class RttVariation {
  private static final long WINDOW_NANOS = 10_000_000_000L;
  private static final int SAMPLES = 16;
  private static final int MIN_SAMPLES = 4;

  /** The medians, negative. */
  private final WindowedMin medians = new WindowedMin(WINDOW_NANOS);

  private final double[] samples = new double[SAMPLES];
  private long reports;
  private double before;
  private double beforeThat;

  /** Takes the round-trip time of a report. */
  void observe(double rttNanos, long nowNanos) {
    if (reports >= 2) {
      long count = reports - 2;
      samples[(int) (count % SAMPLES)] = Math.abs(rttNanos - 2 * before + beforeThat) / 2;
      int known = (int) Math.min(count + 1, SAMPLES);
      if (known >= MIN_SAMPLES) {
        medians.add(-lowerMedian(known), nowNanos);
      }
    }
    reports++;
    beforeThat = before;
    before = rttNanos;
  }

  private double lowerMedian(int known) {
    double[] sorted = Arrays.copyOf(samples, known);
    Arrays.sort(sorted);
    return sorted[(known - 1) / 2];
  }

  /** Returns the variation in nanoseconds; 0 before six reports. */
  double nanos(long nowNanos) {
    double largest = medians.min(nowNanos);
    return Double.isInfinite(largest) ? 0 : -largest;
  }
}
