package io.fieldstone.rlnc.repair;

/**
 * Tells whether packets are lost by a full queue. A packet that arrives just before others are lost
 * then has waited nearly as long as any does. Before random loss it has waited as long as packets
 * do on average. The clocks of the two hosts may differ, because only the range from the least to
 * the greatest delay counts. Both follow a delay that stays in about 10 s.
 */
final class QueueDelay {
  /** A shorter range of delays is the fault of hosts. */
  private static final double MIN_RANGE_NANOS = 2_000_000;

  /** The mean position in that range above which a queue loses packets. */
  private static final double FULL = 0.75;

  /** The position before random loss; a lower mean is above suspicion. */
  private static final double RANDOM = 0.5;

  /** The weight of one lost packet, and the maximum of a run. */
  private static final double POSITION_GAIN = 0.25;

  private static final double MAX_POSITION_GAIN = 0.75;

  /** A queue that is full again within this time was not emptied. */
  private static final long EPISODE_NANOS = 2_000_000_000L;

  /** The time constant with which the least and the greatest delay are forgotten. */
  private static final double MEMORY_NANOS = 10e9;

  /** A full queue keeps the least delay for this time; then the path has changed. */
  private static final long MAX_CONGESTED_NANOS = 60_000_000_000L;

  private boolean isKnown;
  private double least;
  private double greatest;
  private double position = RANDOM;
  private long lastNanos;
  private long uncongestedNanos;
  private long suspectNanos;
  private long fullNanos = Long.MIN_VALUE / 2;

  /**
   * Takes the delay of a packet.
   *
   * @param delayNanos from its sending to its arrival, by the two clocks
   * @param isCongested whether more is lost than at random
   */
  void observe(double delayNanos, boolean isCongested, long nowNanos) {
    if (!isKnown) {
      isKnown = true;
      least = delayNanos;
      greatest = delayNanos;
      lastNanos = nowNanos;
    }
    if (!isCongested) {
      uncongestedNanos = nowNanos;
    }
    double share = Math.min((nowNanos - lastNanos) / MEMORY_NANOS, 1);
    if (delayNanos < least) {
      least = delayNanos;
    } else if (!isCongested || nowNanos - uncongestedNanos > MAX_CONGESTED_NANOS) {
      least += (delayNanos - least) * share;
    }
    greatest = Math.max(delayNanos, greatest - (greatest - delayNanos) * share);
    lastNanos = nowNanos;
  }

  /**
   * Takes the delay of the last packet that arrived before some were lost.
   *
   * @return true if a queue is full now, and was not before
   */
  boolean observeLoss(double delayNanos, long lost, boolean isCongested, long nowNanos) {
    observe(delayNanos, isCongested, nowNanos);
    double range = greatest - least;
    double sample = range < MIN_RANGE_NANOS ? 0 : (delayNanos - least) / range;
    if (position <= RANDOM) {
      suspectNanos = nowNanos;
    }
    double gain = Math.min(1 - Math.pow(1 - POSITION_GAIN, (double) lost), MAX_POSITION_GAIN);
    position += gain * (sample - position);
    if (!isFull()) {
      return false;
    }
    boolean isNew = nowNanos - fullNanos > EPISODE_NANOS;
    fullNanos = nowNanos;
    return isNew;
  }

  /** Returns true if the queue was full when packets were lost. */
  boolean isFull() {
    return position > FULL;
  }

  /** Returns the longest time that a packet has waited in the queue; 0 if nothing is known. */
  double rangeNanos() {
    return greatest - least;
  }

  @Override
  public String toString() {
    return String.format(
        java.util.Locale.ROOT,
        "loss at %.2f of delays from %.1f to %.1f ms",
        position,
        least / 1e6,
        greatest / 1e6);
  }

  /** The time since which losses may be those of a full queue. */
  long suspectNanos() {
    return suspectNanos;
  }
}
