package io.fieldstone.cuda.checksums;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.execution.StreamSlot;
import java.lang.foreign.MemorySegment;

/** Divides a piece of a message that is on the GPU, from register 0. */
interface PieceDivider {

  /** Asks for the results of a piece of at least one byte. */
  void enqueueDivide(StreamSlot slot, long address, long bytes, long resultAddress);

  /** Bytes of the results of a piece: its remainder, unless the host combines several. */
  default long resultBytes(long bytes) {
    return Long.BYTES;
  }

  /** The remainder of a piece, when its results are here. */
  default long remainder(MemorySegment results, long bytes) {
    return results.get(JAVA_LONG, 0);
  }
}
