package io.fieldstone.cuda;

import io.fieldstone.field.Gf2Modulus;
import java.util.List;

/** Divides one message piece by piece, and puts the remainders together by powers of x. */
final class MessageJob implements ByteJob<Span> {

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
   * @param register that the message is appended to
   * @param pieceBytes bytes of a piece, and {@code depth} of them under way at a time
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
  public List<Span> cut(long most) {
    return Span.cut(message.byteSize(), most);
  }

  @Override
  public void reserve(Workspace workspace, List<Span> pieces) {
    long most = Span.most(pieces);
    message.reserve(workspace, most);
    resultOffset = workspace.device(divider.resultBytes(most));
    pinnedOffset = workspace.pinned(divider.resultBytes(most));
  }

  @Override
  public void begin(Lane lane, Span piece) {
    long address = message.bring(lane, piece);
    long results = lane.device(resultOffset);
    long bytes = divider.resultBytes(piece.bytes());
    divider.divide(lane, address, piece.bytes(), results);
    lane.stream().download(results, lane.pinned(pinnedOffset, bytes));
    lane.mark();
  }

  @Override
  public void finish(Lane lane, Span piece) {
    lane.await();
    long bytes = divider.resultBytes(piece.bytes());
    long added = divider.remainder(lane.pinned(pinnedOffset, bytes), piece.bytes());
    remainder = modulus.multiply(remainder, powerOver(piece.bytes())) ^ added;
  }

  /** x to the bits of so many bytes: all pieces but the last are as long. */
  private long powerOver(long bytes) {
    if (bytes != factorBytes) {
      factorBytes = bytes;
      factor = modulus.xToThe(Byte.SIZE * bytes);
    }
    return factor;
  }

  /** The register after the message, when the job has run. */
  long register() {
    return remainder;
  }
}
