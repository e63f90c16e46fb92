package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;

/** Row-major source blocks, converted to a kernel's layout piece by piece. */
public final class LaidOutBlocks implements SourceBlocks {

  private final SourceBlocks rows;
  private final CudaProductKernel kernel;
  private long offset;

  private LaidOutBlocks(SourceBlocks rows, CudaProductKernel kernel) {
    this.rows = rows;
    this.kernel = kernel;
  }

  /** Returns row-major blocks in the layout of a kernel. */
  public static SourceBlocks of(SourceBlocks rows, CudaProductKernel kernel) {
    return kernel.isRowMajor() ? rows : new LaidOutBlocks(rows, kernel);
  }

  @Override
  public int blocks() {
    return rows.blocks();
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling tiling) {
    rows.reserve(scratch, tiling);
    offset = scratch.device(tiling.matrices() * kernel.layoutBytes(blocks(), tiling.columns()));
  }

  @Override
  public void enqueueUpload(StreamSlot slot, BatchSlice piece) {
    rows.enqueueUpload(slot, piece);
  }

  @Override
  public KernelLayout materialize(StreamSlot slot, BatchSlice piece) {
    DeviceMatrices given = rows.materialize(slot, piece).asRows();
    long pitch = kernel.layoutBytes(given.rows(), given.columns());
    KernelLayout blocks =
        kernel.layout(slot.device(offset), given.count(), pitch, given.rows(), given.columns());
    kernel.clear(slot, blocks);
    kernel.layOut(slot, given, blocks, 0);
    return blocks;
  }
}
