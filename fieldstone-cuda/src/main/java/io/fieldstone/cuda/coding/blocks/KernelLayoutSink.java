package io.fieldstone.cuda.coding.blocks;

import io.fieldstone.cuda.coding.BatchSlice;
import io.fieldstone.cuda.coding.CudaProductKernel;
import io.fieldstone.cuda.coding.KernelLayout;
import io.fieldstone.cuda.coding.ProductSink;
import io.fieldstone.cuda.coding.Tiling;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;

/** Stores products on the GPU in the layout of a product kernel. */
final class KernelLayoutSink implements ProductSink {

  private final CudaProductKernel kernel;
  private final KernelLayout blocks;
  private final long first;
  private final int firstRow;
  private long offset;

  /**
   * @param first the target index of a job's matrix 0
   * @param firstRow the target index of a job's row 0
   */
  KernelLayoutSink(CudaProductKernel kernel, KernelLayout blocks, long first, int firstRow) {
    this.kernel = kernel;
    this.blocks = blocks;
    this.first = first;
    this.firstRow = firstRow;
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling tiling) {
    offset =
        scratch.device(
            DeviceMatrices.alignedBytes(tiling.matrices(), tiling.rows(), tiling.columns()));
  }

  @Override
  public DeviceMatrices deviceTarget(StreamSlot slot, BatchSlice piece) {
    return DeviceMatrices.aligned(
        slot.device(offset), piece.matrices(), piece.rows(), piece.columns());
  }

  @Override
  public void enqueueStore(StreamSlot slot, BatchSlice piece, long first, long count) {
    BatchSlice target = piece.matrices(first, count).shifted(this.first, firstRow);
    kernel.layOut(
        slot,
        deviceTarget(slot, piece).matrices(first, count),
        target.of(kernel, blocks),
        target.firstRow());
  }

  @Override
  public void finish(StreamSlot slot, BatchSlice piece, long first, long count) {}
}
