package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.ByteRange;
import io.fieldstone.cuda.execution.PieceJob;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.transfer.HostBytes;
import java.util.List;

/** Downloads the output of a sort piece by piece. */
final class RecordDownload implements PieceJob<ByteRange> {

  private final SortKernels kernels;
  private final DoubleBuffer items;
  private final long plan;
  private final SortOutput output;
  private final HostBytes target;
  private long scratch;

  /**
   * Creates a download.
   *
   * @param plan says which buffer has the items; if items are the output, it is the current one
   */
  RecordDownload(
      SortKernels kernels, DoubleBuffer items, long plan, SortOutput output, HostBytes target) {
    this.kernels = kernels;
    this.items = items;
    this.plan = plan;
    this.output = output;
    this.target = target;
  }

  @Override
  public List<ByteRange> split(long maxBytes) {
    return ByteRange.split(target.byteSize(), maxBytes, output.bytes());
  }

  @Override
  public void reserve(ScratchLayout scratch, List<ByteRange> pieces) {
    target.reservePinned(scratch, ByteRange.maxBytes(pieces));
    this.scratch = output.isOfItems() ? 0 : scratch.device(ByteRange.maxBytes(pieces));
  }

  @Override
  public void enqueue(StreamSlot slot, ByteRange piece) {
    long first = piece.offset() / output.bytes();
    long count = piece.bytes() / output.bytes();
    DoubleBuffer pieceItems = items.from(first * kernels.layout().itemBytes());
    if (output.isOfItems()) {
      target.enqueueDownload(slot, pieceItems.current(), piece);
    } else {
      output.write(slot, kernels, pieceItems, plan, count, slot.device(scratch));
      target.enqueueDownload(slot, slot.device(scratch), piece);
    }
    slot.mark();
  }

  @Override
  public void finish(StreamSlot slot, ByteRange piece) {
    slot.await();
    target.copyOut(slot, piece);
  }
}
