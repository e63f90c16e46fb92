package io.fieldstone.net.live;

/**
 * The numbers of a receiver of live packets. Counts are since the start; those without a unit are
 * of sources: packets, or parts of them.
 *
 * @param packets the packets of the application that were delivered
 * @param delivered those that were delivered
 * @param deliveredBytes their bytes
 * @param lost those that the path lost, repaired or not
 * @param repaired those that the path lost, and repairs replaced in time
 * @param late those that arrived after their deadline
 * @param residual those that were not delivered
 * @param repairs the repairs that arrived
 * @param damaged the solved symbols that no source can have
 * @param forged the packets that were not encrypted with the key of the stream
 * @param delayMillis50 the median time beside the delay of the path, in milliseconds, since the
 *     last call
 * @param delayMillis99 the time that 99 % do not exceed
 */
public record ReceiverStatistics(
    long packets,
    long delivered,
    long deliveredBytes,
    long lost,
    long repaired,
    long late,
    long residual,
    long repairs,
    long damaged,
    long forged,
    double delayMillis50,
    double delayMillis99) {

  /** Nothing was received yet. */
  public static final ReceiverStatistics NONE =
      new ReceiverStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** Returns these counts with those of a later connection, and its delays. */
  ReceiverStatistics plus(ReceiverStatistics later) {
    return new ReceiverStatistics(
        packets + later.packets,
        delivered + later.delivered,
        deliveredBytes + later.deliveredBytes,
        lost + later.lost,
        repaired + later.repaired,
        late + later.late,
        residual + later.residual,
        repairs + later.repairs,
        damaged + later.damaged,
        forged + later.forged,
        later.delayMillis50,
        later.delayMillis99);
  }

  /** Returns the same numbers with forged packets. */
  ReceiverStatistics plusForged(long more) {
    return new ReceiverStatistics(
        packets,
        delivered,
        deliveredBytes,
        lost,
        repaired,
        late,
        residual,
        repairs,
        damaged,
        forged + more,
        delayMillis50,
        delayMillis99);
  }
}
