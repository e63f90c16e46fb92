package io.fieldstone.net.pacing;

/**
 * A report of a receiver, with what its sender knew when it arrived. Packets are numbered from 0 in
 * the order of sending, repairs included.
 *
 * @param nowNanos when the report arrived, by the sender's clock
 * @param arrivalNanos when the packet of the highest number arrived, by any clock; only differences
 *     count
 * @param arrivedPackets the number of packets that have arrived, duplicates not counted
 * @param arrivedBytes the bytes of these packets
 * @param highestSequence the highest number of them; -1 if none
 * @param decidedEnd each packet below this number is known to have arrived or to be lost; others
 *     may be late
 * @param lostPackets how many of them are lost
 * @param sentNanos when that packet was sent, by the sender's clock
 * @param nextSequence the number that the sender gives its next packet
 * @param rttNanos the round-trip time of the packet that arrived last, without the time for which
 *     the receiver held the report; 0 if unknown
 * @param saturated whether the pacer, and not a lack of data, limited the sender since the last
 *     report
 */
public record Feedback(
    long nowNanos,
    long arrivalNanos,
    long arrivedPackets,
    long arrivedBytes,
    long highestSequence,
    long decidedEnd,
    long lostPackets,
    long sentNanos,
    long nextSequence,
    long rttNanos,
    boolean saturated) {

  /** No packet was sent. */
  static final Feedback NONE = new Feedback(0, 0, 0, 0, -1, 0, 0, 0, 0, 0, true);
}
