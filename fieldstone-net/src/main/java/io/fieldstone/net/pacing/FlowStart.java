package io.fieldstone.net.pacing;

/**
 * The start of a flow. The rate doubles in each round, until the path is full in two rounds in a
 * row, or in three of all: one may be the fault of a host that stood still, which on a busy host
 * also hides a full path in every other round. Then two thirds are sent, so that a queue empties
 * and the loss of the path without a queue is measured. For one flow.
 */
final class FlowStart {

  /** The factor of the rate from round to round. */
  static final double GAIN = 2;

  /** The gain after the search: the queue empties and cannot overflow, so that loss is random. */
  static final double SETTLE_GAIN = 0.65;

  /** The rounds in a row in which the path must be full for the search to end. */
  private static final int MAX_FULL_ROUNDS = 2;

  /** The rounds of all in which the path must be full for the search to end. */
  private static final int MAX_ALL_FULL_ROUNDS = 3;

  /** The maximum rate, as a multiple of what has passed. */
  private static final double MAX_LEAD = 4;

  private static final int MIN_SETTLE_ROUNDS = 3;
  private static final long MAX_SETTLE_NANOS = 500_000_000;

  /** The standard deviation of the measured loss at which it is known well enough. */
  private static final double MAX_SETTLE_DEVIATION = 0.04;

  /**
   * A path is not full if what arrives grows by more than this share of the growth of what is sent:
   * a few packets may lose far more than the path does on average.
   */
  private static final double MIN_GROWTH = 0.75;

  /** The last rounds in a row in which the path was full. */
  private int fullRounds;

  /** All rounds in which the path was full. */
  private int allFullRounds;

  /** The rates of the round before; 0 in the first one. */
  private double sentRateBefore;

  private double goodputBefore;

  /** The largest rate at which packets arrived in a round. */
  private double maxGoodput;

  /** The rounds without a queue that were sent below the path's rate. */
  private int settleRounds;

  /** The packets of these rounds but the first, and how many of them were lost. */
  private long settlePackets;

  private long settleLosses;

  /** Takes a round of the search, in which there was always data to send. */
  void observe(Round round) {
    maxGoodput = Math.max(maxGoodput, round.goodput());
    boolean isFull = round.isFull() && !isGrowing(round);
    fullRounds = isFull ? fullRounds + 1 : 0;
    allFullRounds += isFull ? 1 : 0;
    sentRateBefore = round.sentRate();
    goodputBefore = round.goodput();
  }

  private boolean isGrowing(Round round) {
    return !round.queued()
        && round.goodput() * sentRateBefore > MIN_GROWTH * goodputBefore * round.sentRate();
  }

  /** Returns true if the path was full in the last round. */
  boolean isFull() {
    return fullRounds > 0;
  }

  /** Returns true if the search is over. */
  boolean isOver() {
    return isFull() && (fullRounds == MAX_FULL_ROUNDS || allFullRounds >= MAX_ALL_FULL_ROUNDS);
  }

  /**
   * Returns the rate of a full path, in bytes per second.
   *
   * @param randomLoss the share of packets that the path loses at random
   */
  double fullRate(double randomLoss) {
    return maxGoodput / (1 - randomLoss);
  }

  /**
   * Returns the next rate while the path is not full, in bytes per second.
   *
   * @param rate the rate of this round
   * @param capacity the largest rate at which packets have passed
   * @param isDelayed whether a queue has delayed the last reports
   */
  static double nextRate(double rate, double capacity, boolean isDelayed) {
    return isDelayed ? Math.min(rate, GAIN * capacity) : Math.min(GAIN * rate, MAX_LEAD * capacity);
  }

  /** Returns the rate after the search, in bytes per second. */
  double settlingRate(double capacity) {
    return SETTLE_GAIN * Math.min(capacity, maxGoodput);
  }

  /**
   * Takes a round without a queue after the search.
   *
   * @param isSettled whether the round before was one, too, so that these packets were sent slowly
   * @param nanos the time since the search ended
   * @return true if the loss of the path is known well enough
   */
  boolean observeSettling(Round round, boolean isSettled, long nanos) {
    if (isSettled && ++settleRounds > 1) {
      // After the first round, which empties the queue.
      settlePackets += round.passed();
      settleLosses += round.passed() - round.arrived();
    }
    return settleRounds >= MIN_SETTLE_ROUNDS
        && (RandomLoss.deviation(settleLoss(), settlePackets) <= MAX_SETTLE_DEVIATION
            || nanos >= MAX_SETTLE_NANOS);
  }

  private double settleLoss() {
    return (double) settleLosses / settlePackets;
  }

  /**
   * Sets the loss of the path to what was measured.
   *
   * @return the maximum capacity of a path with this loss, in bytes per second
   */
  double settle(RandomLoss randomLoss, long nowNanos) {
    randomLoss.set(settlePackets, settleLosses, nowNanos);
    return maxGoodput / (1 - Math.min(settleLoss(), RandomLoss.MAX_SHARE));
  }
}
