package io.fieldstone.cpu.coding;

import io.fieldstone.cpu.execution.Rows;

/**
 * Reduces vectors in a strip, the columns in which {@link BlockedBasis} searches a pivot first. For
 * one thread at a time.
 */
interface BasisReduction {

  /** Maximum pending vectors, and columns of their multipliers. */
  int PANEL = 64;

  /**
   * The rows of a basis that a reduction reads and writes. All begin at a multiple of 64 bytes, and
   * have zeros behind their columns.
   *
   * @param width bytes of the vector, of the mask and of the rows received
   * @param vector the vector that is reduced
   * @param settled 0xFF at pivots that are in the state
   * @param received pending vectors as received, without their entries at settled pivots
   * @param factors these entries
   * @param stripWidth columns of the strip
   * @param strip those columns of the state
   * @param reduced pending vectors in the strip, reduced by the state and by each other; behind
   *     each, its multipliers of the vectors reduced by the state
   */
  record Parts(
      int width,
      Rows vector,
      Rows settled,
      Rows received,
      Rows factors,
      int stripWidth,
      Rows strip,
      Rows reduced) {

    /** Returns the bytes of a row of {@code reduced}. */
    static int reducedWidth(int stripWidth) {
      return stripWidth + Math.max(stripWidth, PANEL);
    }
  }

  /** Begins a strip, when no vector is pending. */
  void begin(int start, int pivotsEnd);

  /**
   * Reduces the vector in the strip, as the next pending vector.
   *
   * @param pending number of pending vectors, less than {@value #PANEL}
   * @param keep whether to add the vector to the pending ones, if it has an entry
   * @return the column of its first entry without a pivot, or {@link
   *     io.fieldstone.engine.coding.Basis#NOT_INNOVATIVE}
   */
  int reduce(int pending, boolean keep);

  /** Returns true if a vector of this strip had entries at settled pivots. */
  boolean anyFactors();
}
