package io.fieldstone.net.impairment;

/**
 * Random loss by the model of Gilbert and Elliott: the link is good or bad, changes between packets
 * with two probabilities, and loses packets with a probability of each state. Immutable.
 *
 * @param goodToBad the probability of a change from good to bad, before each packet
 * @param badToGood the probability of a change from bad to good
 * @param inGood the share that is lost while the link is good
 * @param inBad the share that is lost while it is bad
 */
public record Loss(double goodToBad, double badToGood, double inGood, double inBad) {
  /** No loss. */
  public static final Loss NONE = random(0);

  /** Checks the shares. */
  public Loss {
    requireShare("goodToBad", goodToBad);
    requireShare("badToGood", badToGood);
    requireShare("inGood", inGood);
    requireShare("inBad", inBad);
  }

  /** Loses each packet with the same probability, independently. */
  public static Loss random(double share) {
    return new Loss(0, 1, share, share);
  }

  /**
   * Loses runs of packets.
   *
   * @param share the share of all packets that is lost, less than 1
   * @param meanPackets the mean length of a run, at least 1
   */
  public static Loss bursts(double share, double meanPackets) {
    if (!(meanPackets >= 1) || !(share >= 0 && share < 1)) {
      throw new IllegalArgumentException(
          "bursts of " + meanPackets + " packets, share " + share + ": want at least 1, below 1");
    }
    double badToGood = 1 / meanPackets;
    return new Loss(Math.min(1, badToGood * share / (1 - share)), badToGood, 0, 1);
  }

  /** The share of packets that is lost in the long run. */
  public double mean() {
    double sum = goodToBad + badToGood;
    double bad = sum == 0 ? 0 : goodToBad / sum;
    return bad * inBad + (1 - bad) * inGood;
  }

  static void requireShare(String name, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(name + " " + value + ": want 0 to 1");
    }
  }
}
