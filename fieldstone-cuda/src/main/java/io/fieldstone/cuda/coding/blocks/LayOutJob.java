package io.fieldstone.cuda.coding.blocks;

import io.fieldstone.cuda.coding.BatchShape;
import io.fieldstone.cuda.coding.BatchSlice;
import io.fieldstone.cuda.coding.CudaProductKernel;
import io.fieldstone.cuda.coding.KernelLayout;
import io.fieldstone.cuda.coding.MatrixJob;
import io.fieldstone.cuda.coding.Tiling;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.TransferDirection;

/**
 * Converts row-major blocks to a kernel's layout in place, through scratch memory, by whole
 * matrices.
 */
final class LayOutJob implements MatrixJob {

  private final CudaProductKernel kernel;
  private final DeviceMatrices rows;
  private final BatchShape shape;
  private long offset;

  LayOutJob(CudaProductKernel kernel, DeviceMatrices rows) {
    this.kernel = kernel;
    this.rows = rows;
    this.shape =
        new BatchShape(rows.count(), rows.rows(), 0, rows.columns(), TransferDirection.NONE);
  }

  @Override
  public BatchShape shape() {
    return shape;
  }

  @Override
  public Tiling tiling(long maxBytes) {
    return shape.wholeMatrixTiling(maxBytes);
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling tiling) {
    offset = scratch.device(Math.multiplyExact(tiling.matrices(), rows.pitch()));
  }

  @Override
  public void enqueue(StreamSlot slot, BatchSlice piece) {
    DeviceMatrices source = rows.matrices(piece.firstMatrix(), piece.matrices());
    KernelLayout scratch =
        kernel.layout(
            slot.device(offset), source.count(), rows.pitch(), rows.rows(), rows.columns());
    kernel.clear(slot, scratch);
    kernel.layOut(slot, source, scratch, 0);
    slot.stream().copy(scratch.address(), source.address(), source.count() * rows.pitch());
    slot.mark();
  }

  @Override
  public void finish(StreamSlot slot, BatchSlice piece) {
    slot.await();
  }
}
