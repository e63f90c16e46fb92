package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.PieceJob;
import io.fieldstone.cuda.execution.ScratchLayout;
import java.util.List;

/** A call on matrices that runs on a GPU piece by piece. */
public interface MatrixJob extends PieceJob<BatchSlice> {

  BatchShape shape();

  @Override
  default long pieceBytes() {
    return shape().pieceBytes();
  }

  @Override
  default int depth() {
    return shape().depth();
  }

  /** Returns the size of pieces of about {@code maxBytes} bytes. */
  default Tiling tiling(long maxBytes) {
    return shape().tiling(maxBytes);
  }

  @Override
  default List<BatchSlice> split(long maxBytes) {
    return tiling(maxBytes).pieces(shape());
  }

  @Override
  default void reserve(ScratchLayout scratch, List<BatchSlice> pieces) {
    reserve(scratch, Tiling.largest(pieces));
  }

  /**
   * Reserves scratch memory for pieces of this size. Without pinned memory, the host enqueues all
   * pieces without waiting.
   */
  void reserve(ScratchLayout scratch, Tiling tiling);
}
