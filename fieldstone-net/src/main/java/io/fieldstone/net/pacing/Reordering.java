package io.fieldstone.net.pacing;

/**
 * Tells packets that are late from those that are lost. A lost packet stays missing, so the number
 * of missing packets falls only when late ones arrive. The largest fall from a peak of the last
 * second, seen in the last 10 s, is the number of missing packets that may yet arrive.
 */
final class Reordering {
  private static final long PEAK_NANOS = 1_000_000_000L;
  private static final long FALL_NANOS = 10_000_000_000L;

  /** The missing packets, negative: the minimum is the peak. */
  private final WindowedMin peak = new WindowedMin(PEAK_NANOS);

  /** The falls, negative. */
  private final WindowedMin falls = new WindowedMin(FALL_NANOS);

  /** Takes the number of packets below the highest number that have not arrived. */
  void observe(long missing, long nowNanos) {
    peak.add(-missing, nowNanos);
    falls.add(missing + peak.min(nowNanos), nowNanos);
  }

  /** Returns the number of missing packets that may be late; 0 before the first report. */
  long latePackets(long nowNanos) {
    double fall = falls.min(nowNanos);
    return Double.isInfinite(fall) ? 0 : (long) -fall;
  }
}
