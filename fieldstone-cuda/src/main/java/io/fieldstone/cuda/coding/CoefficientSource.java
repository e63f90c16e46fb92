package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;

/** The left operand of a job's products: coefficients m×n', row-major on the GPU. */
public interface CoefficientSource {

  /** Columns n' of each matrix. */
  int columns();

  /** Reserves room in the lanes for pieces of this size. */
  void reserve(ScratchLayout scratch, Tiling cut);

  /** Sends up what a piece has of them in host memory; before {@link #bring}. */
  void send(StreamSlot slot, BatchSlice piece);

  /** Those of a piece, by the time that the lane's stream gets there. */
  DeviceMatrices bring(StreamSlot slot, BatchSlice piece);
}
