package io.fieldstone.cuda;

import java.util.List;

/** Brings what sorted items deliver home, piece by piece. */
final class DeliverJob implements ByteJob<Span> {

  private final SortKernels kernels;
  private final SortItems items;
  private final long plan;
  private final Delivery delivery;
  private final HostBytes home;
  private long scratch;

  /**
   * @param plan where items are; where they are delivered themselves, they are in the first place
   */
  DeliverJob(SortKernels kernels, SortItems items, long plan, Delivery delivery, HostBytes home) {
    this.kernels = kernels;
    this.items = items;
    this.plan = plan;
    this.delivery = delivery;
    this.home = home;
  }

  @Override
  public List<Span> cut(long most) {
    return Span.cut(home.byteSize(), most, delivery.bytes());
  }

  @Override
  public void reserve(Workspace workspace, List<Span> pieces) {
    home.reservePinned(workspace, Span.most(pieces));
    scratch = delivery.isOfItems() ? 0 : workspace.device(Span.most(pieces));
  }

  @Override
  public void begin(Lane lane, Span piece) {
    long first = piece.offset() / delivery.bytes();
    long count = piece.bytes() / delivery.bytes();
    SortItems some = items.from(first * kernels.layout().itemBytes());
    if (delivery.isOfItems()) {
      home.download(lane, some.here(), piece);
    } else {
      delivery.deliver(lane, kernels, some, plan, count, lane.device(scratch));
      home.download(lane, lane.device(scratch), piece);
    }
    lane.mark();
  }

  @Override
  public void finish(Lane lane, Span piece) {
    lane.await();
    home.bringHome(lane, piece);
  }
}
