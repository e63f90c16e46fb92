package io.fieldstone.cli.demo;

import java.util.List;

/**
 * How a run went.
 *
 * @param bytes length of the object
 * @param blocks source blocks of the object, over all generations
 * @param generations how many it was cut into
 * @param sha256 digest of the object
 * @param receivers one entry a receiver
 * @param links what all links did together
 * @param sentBySource of the packets sent, those that the source sent
 * @param multiplyAccumulates work of all encoders, recoders and decoders, in GF-MAC: one GF(2^8)
 *     multiplication and addition on one byte
 * @param nanos from the first tick to the last
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
   * How it went for one receiver.
   *
   * @param received blocks that arrived, copies and late ones included
   * @param innovative of these, blocks that told something new
   * @param nanos from the first tick until it had the whole object
   * @param isEqual whether the SHA-256 of what it decoded is that of the object
   */
  public record Receiver(long received, long innovative, long nanos, boolean isEqual) {

    /** Share of blocks received beyond what was needed. */
    public double overhead() {
      return innovative == 0 ? 0 : (double) received / innovative - 1;
    }
  }

  /** Whether every receiver has the object. */
  public boolean isEqualEverywhere() {
    return receivers.stream().allMatch(Receiver::isEqual);
  }
}
