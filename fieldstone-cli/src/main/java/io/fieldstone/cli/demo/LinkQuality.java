package io.fieldstone.cli.demo;

/**
 * What a link does to the packets it carries.
 *
 * @param loss probability that a packet is lost, in [0, 1)
 * @param duplication probability that one which is not lost arrives twice, in [0, 1)
 * @param reordering probability that one is overtaken by the packets of the next tick, in [0, 1)
 */
public record LinkQuality(double loss, double duplication, double reordering) {

  /** Nothing is lost, doubled or overtaken. */
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
