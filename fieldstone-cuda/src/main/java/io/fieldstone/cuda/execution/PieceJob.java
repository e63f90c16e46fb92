package io.fieldstone.cuda.execution;

import java.util.List;

/** A call that runs on a GPU piece by piece. */
public interface PieceJob<P> extends PiecePipeline.Work<P> {

  /** Returns the preferred size of a piece. */
  default long pieceBytes() {
    return ByteRange.TRANSFER_BYTES;
  }

  /** Returns the number of concurrent pieces. */
  default int depth() {
    return ByteRange.TRANSFER_DEPTH;
  }

  /** Returns pieces of about {@code maxBytes} bytes, in order. */
  List<P> split(long maxBytes);

  /** Reserves scratch memory for the largest of these pieces. */
  void reserve(ScratchLayout scratch, List<P> pieces);
}
