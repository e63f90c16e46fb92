package io.fieldstone.cuda.coding.blocks;

import io.fieldstone.cuda.coding.BatchShape;
import io.fieldstone.cuda.coding.BatchSlice;
import io.fieldstone.cuda.coding.MatrixJob;
import io.fieldstone.cuda.coding.ProductSink;
import io.fieldstone.cuda.coding.Tiling;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;

/** Resident blocks to host memory. */
final class ReadJob implements MatrixJob {

  private final BlockStore store;
  private final long first;
  private final int firstRow;
  private final ProductSink destination;
  private final BatchShape shape;

  /**
   * @param first the matrix of the store that the job's matrix 0 is
   * @param firstRow the row that its row 0 is
   * @param shape of what is read
   */
  ReadJob(BlockStore store, long first, int firstRow, ProductSink destination, BatchShape shape) {
    this.store = store;
    this.first = first;
    this.firstRow = firstRow;
    this.destination = destination;
    this.shape = shape;
  }

  @Override
  public BatchShape shape() {
    return shape;
  }

  @Override
  public void reserve(ScratchLayout scratch, Tiling cut) {
    destination.reserve(scratch, cut);
  }

  @Override
  public void enqueue(StreamSlot slot, BatchSlice piece) {
    store.read(slot, piece.shifted(first, firstRow), destination.deviceTarget(slot, piece));
    destination.enqueueStore(slot, piece, 0, piece.matrices());
    slot.mark();
  }

  @Override
  public void finish(StreamSlot slot, BatchSlice piece) {
    slot.await();
    destination.finish(slot, piece, 0, piece.matrices());
  }
}
