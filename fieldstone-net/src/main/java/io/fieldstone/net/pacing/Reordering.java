package io.fieldstone.net.pacing;

/**
 * Tells packets that are late from those that are lost. A lost packet stays missing, so the number
 * of missing packets falls only when late ones arrive. Its largest decrease from a peak of the last
 * second estimates the late ones; the estimate decays. At a higher rate more are under way: up to
 * half as many again may be late. All others are lost.
 */
final class Reordering {
  private static final long PEAK_NANOS = 1_000_000_000L;

  /** The part of the largest fall that remains from report to report. */
  private static final double KEPT = 1 - 1.0 / 512;

  /** The late packets at a higher rate, as a multiple of the largest fall, are at most this. */
  private static final double MAX_GROWTH = 1.5;

  /** The missing packets, negative: the minimum is the peak. */
  private final WindowedMin peak = new WindowedMin(PEAK_NANOS);

  /** The largest rates of the last second, negative: packets of them may be late. */
  private final WindowedMin rates = new WindowedMin(PEAK_NANOS);

  /** The largest fall, and the rate at which it was. */
  private double largestFall;

  private double fallRate = 1;

  private double late;
  private double lost;

  /**
   * Takes a report.
   *
   * @param missing the number of packets below the highest number that have not arrived
   * @param rate the rate of sending, greater than 0, in any unit
   */
  void observe(long missing, double rate, long nowNanos) {
    peak.add((double) -missing, nowNanos);
    rates.add(-rate, nowNanos);
    double largestRate = -rates.min(nowNanos);
    double fall = -peak.min(nowNanos) - missing;
    largestFall *= KEPT;
    if (fall >= late(largestRate)) {
      largestFall = fall;
      fallRate = largestRate;
    }
    late = late(largestRate);
    lost = Math.max(lost, missing - late);
  }

  private double late(double rate) {
    return largestFall * Math.clamp(rate / fallRate, 1, MAX_GROWTH);
  }

  /** Returns the number of missing packets that may be late. */
  long latePackets() {
    return (long) Math.ceil(late);
  }

  /** Returns the number of packets that are lost; it never falls. */
  long lostPackets() {
    return (long) lost;
  }
}
