package io.fieldstone.rlnc.repair;

/**
 * Tells whether packets wait in a queue, by their delay. The clocks of the two hosts may differ,
 * because only the excess above the least delay of about the last 10 s counts. An excess is a queue
 * if it is larger than the delay varies from report to report; the slow growth of a queue does not
 * vary it.
 */
final class QueueDelay {
  /** A shorter delay is the fault of hosts. */
  private static final double MIN_QUEUE_NANOS = 2_000_000;

  private static final double VARIATION_MULTIPLE = 4;
  private static final double VARIATION_GAIN = 1.0 / 16;

  /** The time constant with which the floor rises to a delay that stays. */
  private static final double FLOOR_NANOS = 10e9;

  /** A full queue keeps the floor for this time; then the path has changed. */
  private static final long MAX_CONGESTED_NANOS = 60_000_000_000L;

  private long samples;
  private double floor;
  private double last;
  private double beforeLast;
  private double variation;
  private long lastNanos;
  private long uncongestedNanos;
  private boolean isQueued;

  /**
   * Takes the delay of a packet.
   *
   * @param delayNanos from its sending to its arrival, by the two clocks
   * @param isCongested whether the queue loses packets
   */
  void observe(double delayNanos, boolean isCongested, long nowNanos) {
    if (samples == 0) {
      floor = delayNanos;
    }
    if (samples >= 2) {
      double change = Math.abs(delayNanos - 2 * last + beforeLast) / 2;
      // One outlier of a host, or of a path that changes, is no variation.
      double limit = Math.max(2 * variation, MIN_QUEUE_NANOS);
      variation += VARIATION_GAIN * (Math.min(change, limit) - variation);
    }
    if (!isCongested) {
      uncongestedNanos = nowNanos;
    }
    if (delayNanos < floor) {
      floor = delayNanos;
    } else if (nowNanos - uncongestedNanos == 0
        || nowNanos - uncongestedNanos > MAX_CONGESTED_NANOS) {
      double elapsed = samples == 0 ? 0 : nowNanos - lastNanos;
      floor += (delayNanos - floor) * Math.min(elapsed / FLOOR_NANOS, 1);
    }
    isQueued = delayNanos - floor > Math.max(MIN_QUEUE_NANOS, VARIATION_MULTIPLE * variation);
    beforeLast = last;
    last = delayNanos;
    lastNanos = nowNanos;
    samples++;
  }

  /** Returns true if the packet observed last waited in a queue. */
  boolean isQueued() {
    return isQueued;
  }
}
