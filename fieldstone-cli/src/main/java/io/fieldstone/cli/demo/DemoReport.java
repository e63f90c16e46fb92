package io.fieldstone.cli.demo;

import java.util.List;

/**
 * The result of a run.
 *
 * @param bytes the length of the object
 * @param blocks the source blocks of the object, in all generations
 * @param generations the number of its generations
 * @param sha256 the digest of the object
 * @param receivers the results of the receivers
 * @param links the sums over all links
 * @param sentBySource the packets sent by the source
 * @param multiplyAccumulates the work of all encoders, recoders and decoders in GF-MAC: one GF(2^8)
 *     multiplication and addition of one byte
 * @param nanos the time from the first tick to the last
 */
public record DemoReport(
    long bytes,
    long blocks,
    long generations,
    String sha256,
    List<Receiver> receivers,
    LinkCounts links,
    long sentBySource,
    double multiplyAccumulates,
    long nanos) {

  /**
   * The result of a receiver.
   *
   * @param received the blocks that arrived, including duplicates and delayed blocks
   * @param innovative the received blocks that increased the rank
   * @param nanos the time from the first tick until the object was complete
   * @param isEqual whether the SHA-256 of the decoded object matches
   */
  public record Receiver(long received, long innovative, long nanos, boolean isEqual) {

    /** Returns the received blocks beyond the innovative ones, as a fraction of these. */
    public double overhead() {
      return innovative == 0 ? 0 : (double) received / innovative - 1;
    }
  }

  /** Tests whether every receiver has decoded the object correctly. */
  public boolean isEqualEverywhere() {
    return receivers.stream().allMatch(Receiver::isEqual);
  }
}
