package io.fieldstone.cuda.coding.blocks;

import io.fieldstone.cuda.coding.BatchSlice;
import io.fieldstone.cuda.coding.CudaProductKernel;
import io.fieldstone.cuda.coding.KernelLayout;
import io.fieldstone.cuda.coding.SourceBlocks;
import io.fieldstone.cuda.coding.Tiling;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;

/** Source blocks on the GPU in their kernel's layout. */
final class ResidentSourceBlocks implements SourceBlocks {

  private final CudaProductKernel kernel;
  private final KernelLayout blocks;
  private final long first;

  /**
   * @param first the index of the matrix that a job's matrix 0 multiplies
   */
  ResidentSourceBlocks(CudaProductKernel kernel, KernelLayout blocks, long first) {
    this.kernel = kernel;
    this.blocks = blocks;
    this.first = first;
  }

  @Override
  public int blocks() {
    return blocks.rows();
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling tiling) {}

  @Override
  public void enqueueUpload(StreamSlot slot, BatchSlice piece) {}

  @Override
  public KernelLayout materialize(StreamSlot slot, BatchSlice piece) {
    return piece.shifted(first, 0).of(kernel, blocks);
  }
}
