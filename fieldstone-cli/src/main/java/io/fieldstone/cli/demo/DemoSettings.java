package io.fieldstone.cli.demo;

import io.fieldstone.rlnc.GenerationShape;

/**
 * The parameters of a network.
 *
 * @param shape the code and its block sizes
 * @param receivers the number of receivers, 1 … {@value #MAX_NODES}
 * @param relays the number of recoding relays, 0 … {@value #MAX_NODES}
 * @param quality the quality of every link
 * @param seed the seed of coefficients and links
 */
public record DemoSettings(
    GenerationShape shape, int receivers, int relays, LinkQuality quality, long seed) {

  /** The maximum number of receivers, and of relays. */
  public static final int MAX_NODES = 256;

  public DemoSettings {
    if (receivers < 1 || receivers > MAX_NODES) {
      throw new IllegalArgumentException("receivers " + receivers + " is not in 1…" + MAX_NODES);
    }
    if (relays < 0 || relays > MAX_NODES) {
      throw new IllegalArgumentException("relays " + relays + " is not in 0…" + MAX_NODES);
    }
  }
}
