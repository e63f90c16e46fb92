package io.fieldstone.cuda.execution;

import java.util.List;

/** A call of a port that is about bytes, as lanes run it piece by piece. */
public interface PieceJob<P> extends PiecePipeline.Work<P> {

  /** Bytes that a piece should move and hold. */
  default long pieceBytes() {
    return ByteRange.TRANSFER_BYTES;
  }

  /** Pieces under way at a time. */
  default int depth() {
    return ByteRange.TRANSFER_DEPTH;
  }

  /** Pieces of about {@code most} bytes, in order. */
  List<P> split(long most);

  /** Reserves room in the lanes for any of these pieces. */
  void reserve(ScratchLayout scratch, List<P> pieces);
}
