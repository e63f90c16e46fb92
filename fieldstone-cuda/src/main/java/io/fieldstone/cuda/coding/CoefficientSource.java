package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;

/** The left operand of a job's products: m×n' coefficients. */
public interface CoefficientSource {

  /** Returns the columns n' of each matrix. */
  int columns();

  /** Returns whether the rows of a matrix depend on each other and must stay in one slice. */
  default boolean needsWholeRows() {
    return false;
  }

  /** Reserves scratch memory for pieces of this size. */
  void reserve(ScratchLayout scratch, Tiling tiling);

  /**
   * Enqueues the upload of a piece's coefficients, if they are in host memory. It precedes {@link
   * #materialize}.
   */
  void enqueueUpload(StreamSlot slot, BatchSlice piece);

  /**
   * Enqueues the kernels that compute the coefficients of a piece, if any, and returns their
   * row-major location.
   */
  DeviceMatrices materialize(StreamSlot slot, BatchSlice piece);
}
