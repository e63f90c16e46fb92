package io.fieldstone.cuda;

import java.lang.foreign.MemorySegment;

/** Divides a piece of a message that is on the GPU, from register 0. */
interface PieceDivider {

  /** Bytes that the GPU leaves for the host to make a remainder of. */
  long resultBytes(long bytes);

  /** Asks for the results of a piece of at least one byte. */
  void divide(Lane lane, long address, long bytes, long resultAddress);

  /** The remainder of a piece, when its results are here. */
  long remainder(MemorySegment results, long bytes);
}
