package io.fieldstone.net.pacing;

/**
 * Tells packets that are late from those that are lost. A lost packet stays missing, so the number
 * of missing packets falls only when late ones arrive. As many of the missing as it fell by from a
 * peak of the last second may yet arrive; the largest fall counts, and is forgotten slowly. All
 * others are lost.
 */
final class Reordering {
  private static final long PEAK_NANOS = 1_000_000_000L;

  /** The part of the largest fall that remains from report to report. */
  private static final double KEPT = 1 - 1.0 / 512;

  /** The missing packets, negative: the minimum is the peak. */
  private final WindowedMin peak = new WindowedMin(PEAK_NANOS);

  private double late;
  private double lost;

  /** Takes the number of packets below the highest number that have not arrived. */
  void observe(long missing, long nowNanos) {
    peak.add(-missing, nowNanos);
    late = Math.max(KEPT * late, -peak.min(nowNanos) - missing);
    lost = Math.max(lost, missing - late);
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
