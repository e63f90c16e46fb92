package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.ByteRange;
import io.fieldstone.cuda.execution.PieceJob;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.transfer.HostBytes;
import java.util.List;

/** Brings what sorted items deliver home, piece by piece. */
final class RecordDownload implements PieceJob<ByteRange> {

  private final SortKernels kernels;
  private final DoubleBuffer items;
  private final long plan;
  private final SortOutput delivery;
  private final HostBytes home;
  private long scratch;

  /**
   * @param plan where items are; where they are delivered themselves, they are in the first place
   */
  RecordDownload(
      SortKernels kernels, DoubleBuffer items, long plan, SortOutput delivery, HostBytes home) {
    this.kernels = kernels;
    this.items = items;
    this.plan = plan;
    this.delivery = delivery;
    this.home = home;
  }

  @Override
  public List<ByteRange> split(long most) {
    return ByteRange.split(home.byteSize(), most, delivery.bytes());
  }

  @Override
  public void reserve(ScratchLayout scratch, List<ByteRange> pieces) {
    home.reservePinned(scratch, ByteRange.maxBytes(pieces));
    this.scratch = delivery.isOfItems() ? 0 : scratch.device(ByteRange.maxBytes(pieces));
  }

  @Override
  public void enqueue(StreamSlot slot, ByteRange piece) {
    long first = piece.offset() / delivery.bytes();
    long count = piece.bytes() / delivery.bytes();
    DoubleBuffer some = items.from(first * kernels.layout().itemBytes());
    if (delivery.isOfItems()) {
      home.enqueueDownload(slot, some.here(), piece);
    } else {
      delivery.deliver(slot, kernels, some, plan, count, slot.device(scratch));
      home.enqueueDownload(slot, slot.device(scratch), piece);
    }
    slot.mark();
  }

  @Override
  public void finish(StreamSlot slot, ByteRange piece) {
    slot.await();
    home.copyOut(slot, piece);
  }
}
