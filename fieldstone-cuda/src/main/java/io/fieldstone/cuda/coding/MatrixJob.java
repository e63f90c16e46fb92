package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.PieceJob;
import io.fieldstone.cuda.execution.ScratchLayout;
import java.util.List;

/** A call of a port that is about matrices, as lanes run it piece by piece. */
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

  /** How large pieces are that move and hold about {@code most} bytes. */
  default Tiling tiling(long most) {
    return shape().tiling(most);
  }

  @Override
  default List<BatchSlice> split(long most) {
    return tiling(most).pieces(shape());
  }

  @Override
  default void reserve(ScratchLayout scratch, List<BatchSlice> pieces) {
    reserve(scratch, Tiling.largest(pieces));
  }

  /**
   * Reserves room in the lanes for pieces of this size. A job without pinned memory leaves nothing
   * for the host to do between the pieces of a lane.
   */
  void reserve(ScratchLayout scratch, Tiling tiling);
}
