package io.fieldstone.cuda.coding.blocks;

import io.fieldstone.cuda.coding.BatchSlice;
import io.fieldstone.cuda.coding.ProductSink;
import io.fieldstone.cuda.coding.Tiling;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.transfer.DeviceCopies;

/** Stores products on the GPU in row-major order: in place, or by a copy of selected products. */
final class RowProductSink implements ProductSink {

  private final DeviceMatrices rows;
  private final long first;
  private final int firstRow;
  private final boolean isInPlace;
  private long offset;

  /**
   * @param first the target index of a job's matrix 0
   * @param firstRow the target index of a job's row 0
   * @param isInPlace whether all products are stored, so that the kernel can write them directly
   */
  RowProductSink(DeviceMatrices rows, long first, int firstRow, boolean isInPlace) {
    this.rows = rows;
    this.first = first;
    this.firstRow = firstRow;
    this.isInPlace = isInPlace;
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling tiling) {
    if (!isInPlace) {
      offset =
          scratch.device(
              DeviceMatrices.alignedBytes(tiling.matrices(), tiling.rows(), tiling.columns()));
    }
  }

  @Override
  public DeviceMatrices deviceTarget(StreamSlot slot, BatchSlice piece) {
    return isInPlace
        ? storedRows(piece)
        : DeviceMatrices.aligned(
            slot.device(offset), piece.matrices(), piece.rows(), piece.columns());
  }

  @Override
  public void enqueueStore(StreamSlot slot, BatchSlice piece, long first, long count) {
    if (!isInPlace) {
      DeviceCopies.copy(
          slot.stream(),
          deviceTarget(slot, piece).matrices(first, count),
          storedRows(piece.matrices(first, count)));
    }
  }

  @Override
  public void finish(StreamSlot slot, BatchSlice piece, long first, long count) {}

  private DeviceMatrices storedRows(BatchSlice piece) {
    return piece.shifted(first, firstRow).of(rows);
  }
}
