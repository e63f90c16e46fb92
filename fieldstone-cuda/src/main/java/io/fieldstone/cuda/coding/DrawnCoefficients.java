package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.engine.coding.RandomCoefficients;

/** Random coefficients that the GPU draws. */
final class DrawnCoefficients implements CoefficientSource {

  private final RandomCoefficients draws;
  private final DrawKernel kernel;
  private long offset;

  DrawnCoefficients(RandomCoefficients draws, DrawKernel kernel) {
    this.draws = draws;
    this.kernel = kernel;
  }

  @Override
  public int columns() {
    return draws.columns();
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling tiling) {
    offset =
        scratch.device(DeviceMatrices.alignedBytes(tiling.matrices(), tiling.rows(), columns()));
  }

  @Override
  public void enqueueUpload(StreamSlot slot, BatchSlice piece) {}

  @Override
  public DeviceMatrices materialize(StreamSlot slot, BatchSlice piece) {
    RandomCoefficients part =
        draws.matrices(piece.firstMatrix(), piece.matrices()).rows(piece.firstRow(), piece.rows());
    DeviceMatrices drawn =
        DeviceMatrices.aligned(slot.device(offset), part.count(), part.rows(), part.columns());
    kernel.draw(slot, part, drawn);
    return drawn;
  }
}
