package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;

/** Stores the products of a job. */
public interface ProductSink {

  /** Reserves scratch memory for pieces of this size. */
  void reserve(ScratchLayout scratch, Tiling tiling);

  /**
   * Returns the matrices that a kernel writes for a piece: scratch memory of the slot, or the final
   * location.
   */
  DeviceMatrices deviceTarget(StreamSlot slot, BatchSlice piece);

  /**
   * Enqueues the copy of some matrices of a piece from {@link #deviceTarget} to their final
   * location.
   *
   * @param first the index of the first one in the piece
   */
  void enqueueStore(StreamSlot slot, BatchSlice piece, long first, long count);

  /** Completes {@link #enqueueStore}, after the slot's work has completed. */
  void finish(StreamSlot slot, BatchSlice piece, long first, long count);
}
