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
 * Lays out blocks that lie as plain rows, in the memory they are in: through scratch memory, matrix
 * by matrix.
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
    DeviceMatrices some = rows.matrices(piece.firstMatrix(), piece.matrices());
    KernelLayout scratch =
        kernel.layout(slot.device(offset), some.count(), rows.pitch(), rows.rows(), rows.columns());
    kernel.clear(slot, scratch);
    kernel.layOut(slot, some, scratch, 0);
    slot.stream().copy(scratch.address(), some.address(), some.count() * rows.pitch());
    slot.mark();
  }

  @Override
  public void finish(StreamSlot slot, BatchSlice piece) {
    slot.await();
  }
}
