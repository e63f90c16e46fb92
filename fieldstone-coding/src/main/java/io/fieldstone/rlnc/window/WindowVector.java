package io.fieldstone.rlnc.window;

import java.lang.foreign.MemorySegment;

/**
 * The coding vector of a recoded symbol.
 *
 * @param first the id of the source packet of coefficient 0
 * @param coefficients one byte for each source packet, 1 … {@value WindowCode#MAX_COUNT}
 */
public record WindowVector(long first, MemorySegment coefficients) {

  /** Checks the ranges. */
  public WindowVector {
    WindowShape.requireIds(first, coefficients.byteSize());
  }
}
