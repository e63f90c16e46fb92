package io.fieldstone.cuda.coding.decoding;

import io.fieldstone.cuda.coding.BatchSlice;
import io.fieldstone.cuda.coding.CudaProductKernel;
import io.fieldstone.cuda.coding.KernelLayout;
import io.fieldstone.cuda.coding.SourceBlocks;
import io.fieldstone.cuda.coding.Tiling;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;

/** Resident blocks as plain rows in an order of the caller's: copies, a run of rows at a time. */
final class OrderedRows implements SourceBlocks {

  private final CudaProductKernel kernel;
  private final SourceBlocks blocks;
  private final int[] order;
  private final int rows;
  private long offset;

  /**
   * @param kernel knows how the blocks are laid out
   * @param order {@code rows} rows of each matrix, one matrix after another
   */
  OrderedRows(CudaProductKernel kernel, SourceBlocks blocks, int[] order, int rows) {
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

  /** How many rows from {@code from} on follow each other where they are stored, too. */
  private int runLength(int from, int end) {
    int at = from + 1;
    while (at < end && order[at] == order[at - 1] + 1) {
      at++;
    }
    return at - from;
  }
}
