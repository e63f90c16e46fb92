package io.fieldstone.cli.demo;

import io.fieldstone.rlnc.GenerationShape;

/**
 * The network to build.
 *
 * @param shape how the object is cut and coded
 * @param receivers how many want it, 1 … {@value #MAX_NODES}
 * @param relays how many recode on the way, 0 … {@value #MAX_NODES}
 * @param quality of every link
 * @param seed decides coefficients and what every link does
 */
public record DemoSettings(
    GenerationShape shape, int receivers, int relays, LinkQuality quality, long seed) {

  /** Most receivers, and most relays. */
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
