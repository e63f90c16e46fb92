package io.fieldstone.cli.demo;

/**
 * The parameters of a stream.
 *
 * @param frames the frames of a generation
 * @param generations the number of generations, at least 1
 * @param loss the share of packets that are lost, in [0, 1)
 * @param redundancy the packets beyond the frames, as a fraction of these, at least 0
 * @param seed the seed of frames, coefficients and losses
 */
public record DelaySettings(
    int frames, int generations, double loss, double redundancy, long seed) {

  /** The maximum number of frames of a generation: decoding takes n² times their bytes. */
  public static final int MAX_FRAMES = 512;

  /** The maximum redundancy. */
  public static final int MAX_REDUNDANCY = 1000;

  public DelaySettings {
    if (frames < 1 || frames > MAX_FRAMES) {
      throw new IllegalArgumentException("frames " + frames + " is not in 1…" + MAX_FRAMES);
    }
    if (generations < 1) {
      throw new IllegalArgumentException("generations " + generations + " is less than 1");
    }
    if (!(loss >= 0 && loss < 1)) {
      throw new IllegalArgumentException("loss " + loss + " is not in [0, 1)");
    }
    if (!(redundancy >= 0 && redundancy <= MAX_REDUNDANCY)) {
      throw new IllegalArgumentException(
          "redundancy %s is not in 0…%d".formatted(redundancy, MAX_REDUNDANCY));
    }
  }

  /** Returns the packets of a generation. */
  int packets() {
    return (int) Math.ceil(frames * (1 + redundancy));
  }
}
