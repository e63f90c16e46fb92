package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;

/** Where the products of a job go. */
public interface ProductSink {

  /** Reserves room in the lanes for pieces of this size. */
  void reserve(ScratchLayout scratch, Tiling tiling);

  /** Where a kernel writes the products of a piece: in scratch of the lane, or in place. */
  DeviceMatrices deviceTarget(StreamSlot slot, BatchSlice piece);

  /**
   * Sends some of a piece's matrices from {@link #deviceTarget} to where they belong.
   *
   * @param first the first of them, counted from the piece's first
   */
  void enqueueStore(StreamSlot slot, BatchSlice piece, long first, long count);

  /** Ends {@link #enqueueStore}, after the lane is done. */
  void finish(StreamSlot slot, BatchSlice piece, long first, long count);
}
