package io.fieldstone.net.live;

import java.util.Collection;
import java.util.Set;

/**
 * The numbers of a sender of live packets, or of all senders of a server. Counts are since the
 * start.
 *
 * @param receivers the receivers at this moment
 * @param packets the packets of the application sent, to each receiver
 * @param sources the sources sent, to each receiver: packets, or parts of them
 * @param sourceBytes the bytes of their packets
 * @param repairs the repairs sent
 * @param repairBytes the bytes of their packets
 * @param skipped the sources that were not sent, because the path was slower than the stream
 * @param unsendable the packets that the carrier did not take
 * @param ignoredReports the reports that were old, or named packets that were not sent
 * @param lossShare the share of packets that the path loses, recovered or not; of the worst path
 * @param redundancy the repairs in advance for each source; the most of all receivers
 * @param isCongested whether a queue of a path loses packets
 * @param rttNanos the latest round-trip time; the longest of all receivers
 * @param bytesPerSecond the rate that the path allows; the least of all receivers
 */
public record SenderStatistics(
    int receivers,
    long packets,
    long sources,
    long sourceBytes,
    long repairs,
    long repairBytes,
    long skipped,
    long unsendable,
    long ignoredReports,
    double lossShare,
    double redundancy,
    boolean isCongested,
    long rttNanos,
    double bytesPerSecond) {

  /** The components that do not only grow. */
  static final Set<String> GAUGES =
      Set.of("receivers", "lossShare", "redundancy", "isCongested", "rttNanos", "bytesPerSecond");

  /** No receiver yet. */
  public static final SenderStatistics NONE =
      new SenderStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, 0, 0);

  /** Returns the numbers of several senders together. */
  static SenderStatistics sum(Collection<SenderStatistics> all) {
    return all.stream().reduce(NONE, SenderStatistics::plus);
  }

  private SenderStatistics plus(SenderStatistics other) {
    return new SenderStatistics(
        receivers + other.receivers,
        packets + other.packets,
        sources + other.sources,
        sourceBytes + other.sourceBytes,
        repairs + other.repairs,
        repairBytes + other.repairBytes,
        skipped + other.skipped,
        unsendable + other.unsendable,
        ignoredReports + other.ignoredReports,
        Math.max(lossShare, other.lossShare),
        Math.max(redundancy, other.redundancy),
        isCongested || other.isCongested,
        Math.max(rttNanos, other.rttNanos),
        leastRate(other));
  }

  private double leastRate(SenderStatistics other) {
    if (receivers == 0 || other.receivers == 0) {
      return receivers == 0 ? other.bytesPerSecond : bytesPerSecond;
    }
    return Math.min(bytesPerSecond, other.bytesPerSecond);
  }

  /** Returns the counts alone, of senders that have ended. */
  SenderStatistics ended() {
    return NONE.plusCounts(this);
  }

  /** Returns these numbers with the counts of a sender that has ended. */
  SenderStatistics plusCounts(SenderStatistics ended) {
    return new SenderStatistics(
        receivers,
        packets + ended.packets,
        sources + ended.sources,
        sourceBytes + ended.sourceBytes,
        repairs + ended.repairs,
        repairBytes + ended.repairBytes,
        skipped + ended.skipped,
        unsendable + ended.unsendable,
        ignoredReports + ended.ignoredReports,
        lossShare,
        redundancy,
        isCongested,
        rttNanos,
        bytesPerSecond);
  }

  /** Returns the bytes of all packets for each byte of packets of sources; 1 before any. */
  public double bytesRatio() {
    return sourceBytes == 0 ? 1 : (double) (sourceBytes + repairBytes) / sourceBytes;
  }
}
