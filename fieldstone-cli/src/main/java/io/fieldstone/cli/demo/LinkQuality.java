package io.fieldstone.cli.demo;

/**
 * The error rates of a link.
 *
 * @param loss the probability that a packet is lost, in [0, 1)
 * @param duplication the probability that a delivered packet arrives twice, in [0, 1)
 * @param reordering the probability that packets of the next tick overtake an arrival, in [0, 1)
 */
public record LinkQuality(double loss, double duplication, double reordering) {

  /** Delivers every packet once and in order. */
  public static final LinkQuality PERFECT = new LinkQuality(0, 0, 0);

  public LinkQuality {
    requireProbability("loss", loss);
    requireProbability("duplication", duplication);
    requireProbability("reordering", reordering);
  }

  private static void requireProbability(String name, double value) {
    if (!(value >= 0 && value < 1)) {
      throw new IllegalArgumentException(name + " " + value + " is not in [0, 1)");
    }
  }
}
