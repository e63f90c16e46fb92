package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;

/** The left operand of a job's products: coefficients m×n', row-major on the GPU. */
public interface CoefficientSource {

  /** Columns n' of each matrix. */
  int columns();

  /** Returns whether the rows of a matrix depend on each other and must stay in one slice. */
  default boolean needsWholeRows() {
    return false;
  }

  /** Reserves room in the lanes for pieces of this size. */
  void reserve(ScratchLayout scratch, Tiling tiling);

  /** Sends up what a piece has of them in host memory; before {@link #materialize}. */
  void enqueueUpload(StreamSlot slot, BatchSlice piece);

  /** Those of a piece, by the time that the lane's stream gets there. */
  DeviceMatrices materialize(StreamSlot slot, BatchSlice piece);
}
