package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;

/** The right operand of a job's products: source blocks. */
public interface SourceBlocks {

  /** Returns the blocks n of each matrix. */
  int blocks();

  /** Reserves scratch memory for pieces of this size. */
  void reserve(ScratchLayout scratch, Tiling tiling);

  /**
   * Enqueues the upload of a piece's blocks, if they are in host memory. It precedes {@link
   * #materialize}.
   */
  void enqueueUpload(StreamSlot slot, BatchSlice piece);

  /**
   * Enqueues the conversion of a piece's blocks, if necessary, and returns them in the kernel's
   * layout.
   */
  KernelLayout materialize(StreamSlot slot, BatchSlice piece);
}
