package io.fieldstone.cuda.coding.decoding;

import io.fieldstone.cuda.coding.BatchSlice;
import io.fieldstone.cuda.coding.CudaProductKernel;
import io.fieldstone.cuda.coding.KernelLayout;
import io.fieldstone.cuda.coding.SourceBlocks;
import io.fieldstone.cuda.coding.Tiling;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;

/** Resident blocks as row-major copies in a given order of rows; consecutive rows take one copy. */
public final class OrderedRows implements SourceBlocks {

  private final CudaProductKernel kernel;
  private final SourceBlocks blocks;
  private final int[] order;
  private final int rows;
  private long offset;

  /**
   * @param kernel the kernel whose layout the blocks have
   * @param order the stored row of each row, {@code rows} entries per matrix
   */
  public OrderedRows(CudaProductKernel kernel, SourceBlocks blocks, int[] order, int rows) {
    this.kernel = kernel;
    this.blocks = blocks;
    this.order = order;
    this.rows = rows;
  }

  @Override
  public int blocks() {
    return rows;
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling tiling) {
    blocks.reserve(scratch, tiling);
    offset = scratch.device(DeviceMatrices.alignedBytes(tiling.matrices(), rows, tiling.columns()));
  }

  @Override
  public void enqueueUpload(StreamSlot slot, BatchSlice piece) {
    blocks.enqueueUpload(slot, piece);
  }

  @Override
  public KernelLayout materialize(StreamSlot slot, BatchSlice piece) {
    KernelLayout stored = blocks.materialize(slot, piece);
    DeviceMatrices ordered =
        DeviceMatrices.aligned(slot.device(offset), piece.matrices(), rows, piece.columns());
    for (long g = 0; g < piece.matrices(); g++) {
      int first = Math.toIntExact((piece.firstMatrix() + g) * rows);
      DeviceMatrices matrix = ordered.matrices(g, 1);
      for (int row = 0; row < rows; ) {
        int length = runLength(first + row, first + rows);
        kernel.read(slot, stored.matrices(g, 1), order[first + row], matrix.rows(row, length));
        row += length;
      }
    }
    return KernelLayout.of(ordered);
  }

  /** Returns the number of rows from {@code from} on that are consecutive in the store. */
  private int runLength(int from, int end) {
    int next = from + 1;
    while (next < end && order[next] == order[next - 1] + 1) {
      next++;
    }
    return next - from;
  }
}
