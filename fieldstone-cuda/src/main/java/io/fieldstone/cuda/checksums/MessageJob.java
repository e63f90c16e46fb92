package io.fieldstone.cuda.checksums;

import io.fieldstone.cuda.execution.ByteRange;
import io.fieldstone.cuda.execution.PieceJob;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import io.fieldstone.cuda.transfer.ByteSource;
import io.fieldstone.field.Gf2Modulus;
import java.util.List;

/** Divides a message in pieces and combines the remainders by powers of x. */
final class MessageJob implements PieceJob<ByteRange> {

  private final ByteSource message;
  private final PieceDivider divider;
  private final Gf2Modulus modulus;
  private final long pieceBytes;
  private final int depth;
  private long remainder;
  private long factorBytes;
  private long factor = 1;
  private long resultOffset;
  private long pinnedOffset;

  /**
   * @param register the initial register
   * @param pieceBytes the size of a piece
   * @param depth the number of concurrent pieces
   */
  MessageJob(
      ByteSource message,
      PieceDivider divider,
      Gf2Modulus modulus,
      long register,
      long pieceBytes,
      int depth) {
    this.message = message;
    this.divider = divider;
    this.modulus = modulus;
    this.remainder = register;
    this.pieceBytes = pieceBytes;
    this.depth = depth;
  }

  @Override
  public long pieceBytes() {
    return pieceBytes;
  }

  @Override
  public int depth() {
    return depth;
  }

  @Override
  public List<ByteRange> split(long maxBytes) {
    return ByteRange.split(message.byteSize(), maxBytes);
  }

  @Override
  public void reserve(ScratchLayout scratch, List<ByteRange> pieces) {
    long maxBytes = ByteRange.maxBytes(pieces);
    message.reserve(scratch, maxBytes);
    resultOffset = scratch.device(divider.resultBytes(maxBytes));
    pinnedOffset = scratch.pinned(divider.resultBytes(maxBytes));
  }

  @Override
  public void enqueue(StreamSlot slot, ByteRange piece) {
    long address = message.enqueueUpload(slot, piece);
    long results = slot.device(resultOffset);
    long bytes = divider.resultBytes(piece.bytes());
    divider.enqueueDivide(slot, address, piece.bytes(), results);
    try (StreamTrace.Open _ = slot.phase("download", bytes)) {
      slot.stream().download(results, slot.pinned(pinnedOffset, bytes));
    }
    slot.mark();
  }

  @Override
  public void finish(StreamSlot slot, ByteRange piece) {
    slot.await();
    long bytes = divider.resultBytes(piece.bytes());
    long pieceRemainder = divider.remainder(slot.pinned(pinnedOffset, bytes), piece.bytes());
    remainder = modulus.multiply(remainder, powerOfX(piece.bytes())) ^ pieceRemainder;
  }

  /** Returns x^(8·bytes), cached because all pieces but the last have one length. */
  private long powerOfX(long bytes) {
    if (bytes != factorBytes) {
      factorBytes = bytes;
      factor = modulus.xToThe(Byte.SIZE * bytes);
    }
    return factor;
  }

  /** Returns the register after the message; call it after the job. */
  long register() {
    return remainder;
  }
}
