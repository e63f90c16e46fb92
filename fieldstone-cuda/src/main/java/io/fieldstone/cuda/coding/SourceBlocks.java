package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;

/** Where a job of products has its source blocks from. */
public interface SourceBlocks {

  /** Blocks n of each matrix as laid out. */
  int blocks();

  /** Reserves room in the lanes for pieces of this size. */
  void reserve(ScratchLayout scratch, Tiling tiling);

  /** Sends up what a piece has of them in host memory; before {@link #materialize}. */
  void enqueueUpload(StreamSlot slot, BatchSlice piece);

  /** The blocks for a piece, laid out, by the time that the lane's stream gets there. */
  KernelLayout materialize(StreamSlot slot, BatchSlice piece);
}
