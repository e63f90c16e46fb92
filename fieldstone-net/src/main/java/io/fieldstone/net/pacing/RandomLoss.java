package io.fieldstone.net.pacing;

/**
 * Estimates the share of packets that a path loses at random, at any rate of sending: the minimum
 * of the last 10 s. A queue that overflows only adds to it.
 */
final class RandomLoss {

  /** More loss than this is never taken for random. */
  static final double MAX_SHARE = 0.5;

  private static final long FLOOR_NANOS = 10_000_000_000L;
  private static final long WINDOW_NANOS = 1_000_000_000L;
  private static final long MIN_WINDOW_PACKETS = 100;
  private static final int MAX_LOSING_ROUNDS = 4;

  /** The standard deviations by which loss must be larger than the estimate to be none of it. */
  private static final double ROUND_DEVIATIONS = 4;

  /** A window has more packets than a round, and is seen more rarely. */
  private static final double WINDOW_DEVIATIONS = 2;

  private static final double TOLERANCE = 0.01;

  private final WindowedMin floor = new WindowedMin(FLOOR_NANOS);
  private long windowPackets;
  private long windowLosses;
  private long windowNanos;
  private int losingRounds;

  /** At most this loss of the first window replaces the estimate before it, of fewer packets. */
  private double maxFirstLoss;

  /** Returns the estimate, from 0 to {@link #MAX_SHARE}; 0 before the first packet. */
  double share(long nowNanos) {
    double least = floor.min(nowNanos);
    return Double.isInfinite(least) ? windowShare() : least;
  }

  /** Returns true if a round lost more than chance explains. */
  boolean isExceeded(double loss, long packets, long nowNanos) {
    double share = share(nowNanos);
    return loss > share + ROUND_DEVIATIONS * deviation(share, packets) + TOLERANCE;
  }

  /**
   * Sets the estimate to what was measured while no queue could overflow. The first window, of many
   * more packets, replaces it if chance explains the difference.
   */
  void set(long packets, long lost, long nowNanos) {
    double loss = clamped(packets, lost);
    reset(loss + deviation(loss, packets), nowNanos);
    // Few packets may lose none by chance: two more of each kind (Agresti and Coull, 1998).
    double likely = clamped(packets + 4, lost + 2);
    maxFirstLoss = likely + ROUND_DEVIATIONS * deviation(likely, packets);
  }

  /**
   * Takes the loss of a round without a queue.
   *
   * @param packets the packets of which it is known
   * @param lost how many of them were lost
   * @return the share lost in the last second beyond the estimate, if that is more than chance
   *     explains and too little to show in one round; else 0
   */
  double observe(long packets, long lost, boolean losing, long nowNanos) {
    if (losing && ++losingRounds > MAX_LOSING_ROUNDS) {
      // Less was sent and as much is lost: the path's own loss has grown.
      reset(clamped(packets, lost), nowNanos);
      return 0;
    }
    if (!losing) {
      losingRounds = 0;
    }
    if (windowPackets == 0) {
      windowNanos = nowNanos;
    }
    windowPackets += packets;
    windowLosses += lost;
    if (nowNanos - windowNanos < WINDOW_NANOS || windowPackets < MIN_WINDOW_PACKETS) {
      return 0;
    }
    double loss = windowShare();
    if (loss <= maxFirstLoss) {
      floor.reset();
    }
    maxFirstLoss = 0;
    floor.add(loss, nowNanos);
    double least = floor.min(nowNanos);
    double excess = loss - least - WINDOW_DEVIATIONS * deviation(least, windowPackets);
    windowPackets = 0;
    windowLosses = 0;
    return Math.max(0, excess);
  }

  /** Takes the loss of a round with a queue: the estimate is at most that. */
  void observeQueued(double loss, long packets, long nowNanos) {
    double most = maxProbability(loss, packets);
    if (most < floor.min(nowNanos) && most < MAX_SHARE) {
      floor.add(most, nowNanos);
    }
  }

  /** Returns the standard deviation of the share of packets lost with this probability. */
  static double deviation(double probability, long packets) {
    return Math.sqrt(Math.max(probability * (1 - probability), 1.0 / packets) / packets);
  }

  /**
   * Returns the largest probability of which chance explains this share of lost packets: the bound
   * of Wilson (1927), which holds for few packets and for none that is lost, too.
   */
  private static double maxProbability(double loss, long packets) {
    double weight = ROUND_DEVIATIONS * ROUND_DEVIATIONS / packets;
    double root = Math.sqrt(weight * loss * (1 - loss) + weight * weight / 4);
    return (loss + weight / 2 + root) / (1 + weight);
  }

  private void reset(double share, long nowNanos) {
    floor.reset();
    floor.add(share, nowNanos);
    losingRounds = 0;
    windowPackets = 0;
    windowLosses = 0;
  }

  private double windowShare() {
    return windowPackets == 0 ? 0 : clamped(windowPackets, windowLosses);
  }

  private static double clamped(long packets, long lost) {
    return Math.clamp((double) lost / packets, 0, MAX_SHARE);
  }
}
