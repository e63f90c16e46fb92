package io.fieldstone.net.live;

import java.util.Arrays;

/** Counts delays in bins of a tenth of a millisecond, up to 2 s. For one thread. */
final class DelayCounts {

  private static final long BIN_NANOS = 100_000;
  private static final int BINS = 20_000;
  private static final double BINS_PER_MILLI = 10;

  private final int[] counts = new int[BINS];
  private long all;

  void add(long nanos) {
    counts[Math.clamp(nanos / BIN_NANOS, 0, BINS - 1)]++;
    all++;
  }

  /** Returns the delay in milliseconds that a share of those counted do not exceed. */
  double millis(double share) {
    long below = 0;
    for (int bin = 0; bin < BINS; bin++) {
      below += counts[bin];
      if (below >= share * all) {
        return all == 0 ? 0 : bin / BINS_PER_MILLI;
      }
    }
    return BINS / BINS_PER_MILLI;
  }

  void clear() {
    Arrays.fill(counts, 0);
    all = 0;
  }
}
