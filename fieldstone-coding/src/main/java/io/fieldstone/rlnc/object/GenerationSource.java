package io.fieldstone.rlnc.object;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Reads the source bytes of generations, for example from a file. A {@link GenerationCache} calls
 * it on the threads of its loader, several at once if that has several.
 */
@FunctionalInterface
public interface GenerationSource {

  /**
   * Reads one generation.
   *
   * @param generation the number of the generation, 0 ≤ generation &lt; generations of the object
   * @param destination n·k bytes with the n of this generation; all are written, zeros after the
   *     last byte of the object
   * @throws IOException if the bytes cannot be read; the sender then sends nothing of it
   */
  void read(int generation, MemorySegment destination) throws IOException;
}
