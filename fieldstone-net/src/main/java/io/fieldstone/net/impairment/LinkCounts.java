package io.fieldstone.net.impairment;

/**
 * The counts of the packets of one direction of a link.
 *
 * @param arrived packets that the link received
 * @param queueDropped packets that did not fit the queue
 * @param lost packets that were lost at random
 * @param reordered packets that came late, so that later packets could overtake them
 * @param duplicated packets that were sent twice
 * @param corrupted packets of which a bit was flipped
 * @param forwarded packets that the link sent, copies included
 * @param forwardedBytes the bytes of these, without the headers that the link adds
 * @param waitedNanos the sum of the times that packets waited in the queue
 * @param percentileWaitNanos the 99th percentile of these times since the link was opened, rounded
 *     down to 0.1 ms
 */
public record LinkCounts(
    long arrived,
    long queueDropped,
    long lost,
    long reordered,
    long duplicated,
    long corrupted,
    long forwarded,
    long forwardedBytes,
    long waitedNanos,
    long percentileWaitNanos) {

  /** Returns the mean time that a packet waited in the queue. */
  public double meanWaitNanos() {
    long transmitted = arrived - queueDropped;
    return transmitted == 0 ? 0 : (double) waitedNanos / transmitted;
  }

  /** Returns the share of the packets that did not fit the queue. */
  public double queueDroppedShare() {
    return arrived == 0 ? 0 : (double) queueDropped / arrived;
  }

  /** Gives the counts since {@code before}; the percentile stays that of all packets. */
  public LinkCounts minus(LinkCounts before) {
    return new LinkCounts(
        arrived - before.arrived,
        queueDropped - before.queueDropped,
        lost - before.lost,
        reordered - before.reordered,
        duplicated - before.duplicated,
        corrupted - before.corrupted,
        forwarded - before.forwarded,
        forwardedBytes - before.forwardedBytes,
        waitedNanos - before.waitedNanos,
        percentileWaitNanos);
  }
}
