package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.ByteRange;
import io.fieldstone.cuda.execution.PieceJob;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.TransferDirection;
import io.fieldstone.cuda.transfer.HostBytes;
import java.util.List;

/** Brings records to the GPU piece by piece, and makes items of them. */
final class RecordUpload implements PieceJob<ByteRange> {

  private final HostBytes host;
  private final SortKernels kernels;
  private final SortLayout layout;
  private final UploadTarget landing;
  private final UploadListener arrivals;
  private final long pieceBytes;

  /**
   * Where records go.
   *
   * @param items address of the item of the first record
   * @param records address of the first record, where they stay for {@link SortOutput}; 0 if they
   *     do not
   * @param index of the first record
   */
  record UploadTarget(long items, long records, long index) {

    /** That of what follows on so many records. */
    UploadTarget after(long count, SortLayout layout) {
      long there = records == 0 ? 0 : records + count * layout.format().bytes();
      return new UploadTarget(items + count * layout.itemBytes(), there, index + count);
    }
  }

  /** What is done with items as they arrive, piece by piece. */
  interface UploadListener {

    /** Nothing. */
    UploadListener LEFT_ALONE = (_, _, _) -> {};

    /** Reserves what lanes need for up to so many items at a time. */
    default void reserve(ScratchLayout scratch, long most) {}

    /** Asks for what is done with items that the lane will have brought, the next ones. */
    void arrived(StreamSlot slot, long items, long count);

    /** Asks for the rest, a piece or two later: for the next piece that has arrived. */
    default void enqueueDependent(StreamSlot slot) {}

    /** Called before the host waits for a piece. */
    default void beforeWaiting() {}
  }

  /**
   * @param pieceBytes of records that cross the bus at a time
   */
  RecordUpload(
      HostBytes host,
      SortKernels kernels,
      UploadTarget landing,
      UploadListener arrivals,
      long pieceBytes) {
    this.arrivals = arrivals;
    this.pieceBytes = pieceBytes;
    this.host = host;
    this.kernels = kernels;
    this.layout = kernels.layout();
    this.landing = landing;
  }

  @Override
  public long pieceBytes() {
    return pieceBytes;
  }

  /**
   * More would take turns less well: of three, with kernels in between, the bus carries 5% less.
   */
  @Override
  public int depth() {
    return TransferDirection.ONE_WAY.depth();
  }

  /** Whole records, as many as was said: arrivals may be prepared for so many pieces. */
  @Override
  public List<ByteRange> split(long most) {
    return pieces(host, layout, pieceBytes);
  }

  /** The pieces that records arrive in. */
  static List<ByteRange> pieces(HostBytes host, SortLayout layout, long pieceBytes) {
    return ByteRange.split(host.byteSize(), pieceBytes, layout.format().bytes());
  }

  @Override
  public void reserve(ScratchLayout scratch, List<ByteRange> pieces) {
    arrivals.reserve(scratch, ByteRange.maxBytes(pieces) / layout.format().bytes());
    if (passes()) {
      host.reserve(scratch, ByteRange.maxBytes(pieces));
    } else {
      host.reservePinned(scratch, ByteRange.maxBytes(pieces));
    }
  }

  /** Whether records do not stay, in any form. */
  private boolean passes() {
    return !layout.isWhole() && landing.records() == 0;
  }

  @Override
  public void enqueue(StreamSlot slot, ByteRange piece) {
    int bytes = layout.format().bytes();
    long count = piece.bytes() / bytes;
    UploadTarget here = landing.after(piece.offset() / bytes, layout);
    if (layout.isWhole()) {
      host.enqueueUpload(slot, piece, here.items());
    } else if (passes()) {
      kernels.makeItems(slot, host.enqueueUpload(slot, piece), here.items(), count, here.index());
    } else {
      host.enqueueUpload(slot, piece, here.records());
      kernels.makeItems(slot, here.records(), here.items(), count, here.index());
    }
    arrivals.arrived(slot, here.items(), count);
    slot.mark();
  }

  @Override
  public void enqueueDependent(StreamSlot slot, ByteRange piece) {
    arrivals.enqueueDependent(slot);
    slot.mark();
  }

  @Override
  public void finish(StreamSlot slot, ByteRange piece) {
    arrivals.beforeWaiting();
    slot.await();
  }
}
