package io.fieldstone.rlnc.object;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Takes the generations of an object, each once, in the order in which they are verified. */
@FunctionalInterface
public interface GenerationSink {

  /**
   * Takes a generation whose hash is that of the object.
   *
   * @param generation the number of the generation
   * @param bytes its bytes without padding, valid during the call
   * @throws IOException if the bytes cannot be kept; the generation stays missing
   */
  void verified(int generation, MemorySegment bytes) throws IOException;
}
