package io.fieldstone.net.pacing;

/**
 * The measurements of one round trip. Rates are in bytes per second, without losses beyond those at
 * random.
 *
 * @param passed the packets that arrived or were lost
 * @param arrived the packets that arrived
 * @param sentRate the rate at which they were sent; a busy host is late
 * @param goodput the rate at which they arrived, at most that at which they were sent; without all
 *     losses
 * @param throughput the rate at which they passed, at most that at which they were sent; without
 *     losses that chance does not explain
 * @param carriedRate the same, without all losses beyond those at random
 * @param recent the larger one of the throughputs of this round and the one before
 * @param arrivalRate the rate at which they arrived
 * @param keptPace false if they passed more slowly than they were sent, by more than jitter
 *     explains: a queue grew, or more was lost
 * @param carried true if they passed as fast as they were sent by the carried rate, too
 * @param losing true if more was lost than chance explains
 * @param queued true if they waited in a queue
 * @param overflowing true if a queue lost a quarter of what a path of this loss would carry
 */
record Round(
    long passed,
    long arrived,
    double sentRate,
    double goodput,
    double throughput,
    double carriedRate,
    double recent,
    double arrivalRate,
    boolean keptPace,
    boolean carried,
    boolean losing,
    boolean queued,
    boolean overflowing) {

  /** A throughput below this share of what was sent, or a queue, means that the path is full. */
  private static final double FULL_PACE = 0.75;

  /**
   * Returns true if a queue lost a quarter of what a path carries.
   *
   * @param loss the share of the packets that were lost
   * @param random the share that the path loses at random
   * @param deviation the standard deviation of that share
   */
  static boolean isOverflow(double loss, double random, double deviation) {
    return loss > random + deviation + (1 - FULL_PACE) * (1 - random);
  }

  /** Returns true if the path cannot carry what was sent. */
  boolean isFull() {
    return losing || queued || overflowing || throughput < FULL_PACE * sentRate;
  }
}
