package io.fieldstone.cuda.checksums;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.execution.StreamSlot;
import java.lang.foreign.MemorySegment;

/** Divides a piece of a message on the GPU, starting from register 0. */
interface PieceDivider {

  /** Enqueues the division of a piece of at least one byte. */
  void enqueueDivide(StreamSlot slot, long address, long bytes, long resultAddress);

  /**
   * Returns the size of the results of a piece: one remainder, unless the host combines several.
   */
  default long resultBytes(long bytes) {
    return Long.BYTES;
  }

  /** Returns the remainder of a piece from its downloaded results. */
  default long remainder(MemorySegment results, long bytes) {
    return results.get(JAVA_LONG, 0);
  }
}
