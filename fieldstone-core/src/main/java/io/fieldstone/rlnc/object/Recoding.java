package io.fieldstone.rlnc.object;

import java.lang.foreign.MemorySegment;

/** Recodes generations that are not verified yet, for immediate relays. */
interface Recoding {

  /** Returns the rank of an open generation; 0 if it is not open. */
  int rank(int generation);

  /**
   * Writes a random combination of the blocks held: n coefficients at {@code offset}, then k bytes.
   */
  void recode(int generation, MemorySegment destination, long offset);
}
