package io.fieldstone.net.relay;

import java.io.IOException;

/** Thrown when a generation is not in the cache of a relay, or its bytes there are damaged. */
final class MissingGenerationException extends IOException {

  private static final long serialVersionUID = 1L;

  private final int generation;

  MissingGenerationException(int generation) {
    super("generation " + generation + " is not in the cache");
    this.generation = generation;
  }

  int generation() {
    return generation;
  }
}
