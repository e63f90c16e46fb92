package io.fieldstone.cuda;

import java.util.List;

/** A call of a port that is about bytes, as lanes run it piece by piece. */
interface ByteJob<P> extends PieceLoop.Work<P> {

  /** Bytes that a piece should move and hold. */
  default long pieceBytes() {
    return Span.CROSSING;
  }

  /** Pieces under way at a time. */
  default int depth() {
    return Span.CROSSING_DEPTH;
  }

  /** Pieces of about {@code most} bytes, in order. */
  List<P> cut(long most);

  /** Reserves room in the lanes for any of these pieces. */
  void reserve(Workspace workspace, List<P> pieces);
}
