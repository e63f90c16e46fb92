package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.ByteRange;
import io.fieldstone.cuda.execution.PieceJob;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.TransferDirection;
import io.fieldstone.cuda.transfer.HostBytes;
import java.util.List;

/** Uploads records piece by piece and makes items of them. */
final class RecordUpload implements PieceJob<ByteRange> {

  private final HostBytes host;
  private final SortKernels kernels;
  private final SortLayout layout;
  private final UploadTarget target;
  private final UploadListener listener;
  private final long pieceBytes;

  /**
   * The destination of uploaded records.
   *
   * @param items address of the item of the first record
   * @param records address of the first record, if records are kept for {@link SortOutput}, else 0
   * @param index of the first record
   */
  record UploadTarget(long items, long records, long index) {

    /** Returns the destination of the record {@code count} records later. */
    UploadTarget after(long count, SortLayout layout) {
      long laterRecords = records == 0 ? 0 : records + count * layout.format().bytes();
      return new UploadTarget(items + count * layout.itemBytes(), laterRecords, index + count);
    }
  }

  /** Processes items piece by piece, as they arrive. */
  interface UploadListener {

    /** Does not process items. */
    UploadListener NONE = (_, _, _) -> {};

    /** Reserves scratch memory for pieces of up to {@code maxItems} items. */
    default void reserve(ScratchLayout scratch, long maxItems) {}

    /** Enqueues kernels for the next piece, after its upload in the same stream. */
    void enqueue(StreamSlot slot, long items, long count);

    /** Enqueues kernels that depend on earlier pieces; called once per piece, in order. */
    default void enqueueDependent(StreamSlot slot) {}
  }

  /**
   * Creates an upload.
   *
   * @param pieceBytes maximum bytes of a transfer
   */
  RecordUpload(
      HostBytes host,
      SortKernels kernels,
      UploadTarget target,
      UploadListener listener,
      long pieceBytes) {
    this.listener = listener;
    this.pieceBytes = pieceBytes;
    this.host = host;
    this.kernels = kernels;
    this.layout = kernels.layout();
    this.target = target;
  }

  @Override
  public long pieceBytes() {
    return pieceBytes;
  }

  /** Three or more streams alternate less well with kernels: the bus carries 5% less. */
  @Override
  public int depth() {
    return TransferDirection.ONE_WAY.depth();
  }

  /** Ignores {@code maxBytes}, because the listener is prepared for a fixed number of pieces. */
  @Override
  public List<ByteRange> split(long maxBytes) {
    return pieces(host, layout, pieceBytes);
  }

  /** Cuts records into the pieces that are uploaded. */
  static List<ByteRange> pieces(HostBytes host, SortLayout layout, long pieceBytes) {
    return ByteRange.split(host.byteSize(), pieceBytes, layout.format().bytes());
  }

  @Override
  public void reserve(ScratchLayout scratch, List<ByteRange> pieces) {
    listener.reserve(scratch, ByteRange.maxBytes(pieces) / layout.format().bytes());
    if (isStaged()) {
      host.reserve(scratch, ByteRange.maxBytes(pieces));
    } else {
      host.reservePinned(scratch, ByteRange.maxBytes(pieces));
    }
  }

  /** Whether records are discarded once items have been made of them. */
  private boolean isStaged() {
    return !layout.isWholeRecord() && target.records() == 0;
  }

  @Override
  public void enqueue(StreamSlot slot, ByteRange piece) {
    int bytes = layout.format().bytes();
    long count = piece.bytes() / bytes;
    UploadTarget pieceTarget = target.after(piece.offset() / bytes, layout);
    if (layout.isWholeRecord()) {
      host.enqueueUpload(slot, piece, pieceTarget.items());
    } else if (isStaged()) {
      kernels.makeItems(
          slot, host.enqueueUpload(slot, piece), pieceTarget.items(), count, pieceTarget.index());
    } else {
      host.enqueueUpload(slot, piece, pieceTarget.records());
      kernels.makeItems(
          slot, pieceTarget.records(), pieceTarget.items(), count, pieceTarget.index());
    }
    listener.enqueue(slot, pieceTarget.items(), count);
    slot.mark();
  }

  @Override
  public void enqueueDependent(StreamSlot slot, ByteRange piece) {
    listener.enqueueDependent(slot);
    slot.mark();
  }

  @Override
  public void finish(StreamSlot slot, ByteRange piece) {
    slot.await();
  }
}
