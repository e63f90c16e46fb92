package io.fieldstone.cuda;

import java.util.List;

/** A call of a port that is about matrices, as lanes run it piece by piece. */
interface Job extends ByteJob<Piece> {

  JobShape shape();

  @Override
  default long pieceBytes() {
    return shape().pieceBytes();
  }

  @Override
  default int depth() {
    return shape().depth();
  }

  /** How large pieces are that move and hold about {@code most} bytes. */
  default Cut tiling(long most) {
    return shape().cut(most);
  }

  @Override
  default List<Piece> cut(long most) {
    return tiling(most).pieces(shape());
  }

  @Override
  default void reserve(Workspace workspace, List<Piece> pieces) {
    reserve(workspace, Cut.largest(pieces));
  }

  /**
   * Reserves room in the lanes for pieces of this size. A job without pinned memory leaves nothing
   * for the host to do between the pieces of a lane.
   */
  void reserve(Workspace workspace, Cut cut);
}
