package io.fieldstone.cuda;

/** A call of a port, as lanes run it piece by piece. */
interface Job extends PieceLoop.Work<Piece> {

  JobShape shape();

  /** A cut into pieces of about {@code most} bytes. */
  default Cut cut(long most) {
    return shape().cut(most);
  }

  /**
   * Reserves room in the lanes for pieces of this size. A job without pinned memory leaves nothing
   * for the host to do between the pieces of a lane.
   */
  void reserve(Workspace workspace, Cut cut);
}
