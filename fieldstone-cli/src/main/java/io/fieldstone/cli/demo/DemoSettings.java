package io.fieldstone.cli.demo;

/**
 * The parameters of a network.
 *
 * @param receivers the number of receivers, 1 … {@value #MAX_RECEIVERS}
 * @param relays the number of relays, 0 … {@value #MAX_RELAYS}
 * @param loss the share of packets that each link loses, in [0, 1)
 * @param isEvil whether one more relay sends wrong blocks
 * @param seed the seed of the links
 */
public record DemoSettings(int receivers, int relays, double loss, boolean isEvil, long seed) {

  /** The maximum number of receivers: each has a connection to every sender. */
  public static final int MAX_RECEIVERS = 256;

  /** The maximum number of relays. */
  public static final int MAX_RELAYS = 32;

  public DemoSettings {
    if (receivers < 1 || receivers > MAX_RECEIVERS) {
      throw new IllegalArgumentException(
          "receivers " + receivers + " is not in 1…" + MAX_RECEIVERS);
    }
    if (relays < 0 || relays > MAX_RELAYS) {
      throw new IllegalArgumentException("relays " + relays + " is not in 0…" + MAX_RELAYS);
    }
    if (!(loss >= 0 && loss < 1)) {
      throw new IllegalArgumentException("loss " + loss + " is not in [0, 1)");
    }
  }
}
