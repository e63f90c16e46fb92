package io.fieldstone.cuda;

import java.util.List;

/** Brings records to the GPU piece by piece, and makes items of them. */
final class TakeJob implements ByteJob<Span> {

  private final HostBytes host;
  private final SortKernels kernels;
  private final SortLayout layout;
  private final Landing landing;

  /**
   * Where records go.
   *
   * @param items address of the item of the first record
   * @param records address of the first record, where they stay for {@link Delivery}; 0 if they do
   *     not
   * @param index of the first record
   * @param counts address of counts that are added to; 0 if there are none
   */
  record Landing(long items, long records, long index, long counts) {

    /** That of what follows on so many records. */
    Landing after(long count, SortLayout layout) {
      long there = records == 0 ? 0 : records + count * layout.format().bytes();
      return new Landing(items + count * layout.itemBytes(), there, index + count, counts);
    }
  }

  TakeJob(HostBytes host, SortKernels kernels, Landing landing) {
    this.host = host;
    this.kernels = kernels;
    this.layout = kernels.layout();
    this.landing = landing;
  }

  /** Whole records. */
  @Override
  public List<Span> cut(long most) {
    return Span.cut(host.byteSize(), most, layout.format().bytes());
  }

  @Override
  public void reserve(Workspace workspace, List<Span> pieces) {
    if (passes()) {
      host.reserve(workspace, Span.most(pieces));
    } else {
      host.reservePinned(workspace, Span.most(pieces));
    }
  }

  /** Whether records do not stay, in any form. */
  private boolean passes() {
    return !layout.isWhole() && landing.records() == 0;
  }

  @Override
  public void begin(Lane lane, Span piece) {
    int bytes = layout.format().bytes();
    long count = piece.bytes() / bytes;
    Landing here = landing.after(piece.offset() / bytes, layout);
    if (layout.isWhole()) {
      host.upload(lane, piece, here.items());
    } else if (passes()) {
      kernels.take(lane, host.bring(lane, piece), here.items(), count, here.index());
    } else {
      host.upload(lane, piece, here.records());
      kernels.take(lane, here.records(), here.items(), count, here.index());
    }
    if (here.counts() != 0) {
      try (LanePhases.Open _ = lane.phase("histogram", count * layout.itemBytes())) {
        kernels.count(lane, here.items(), here.counts(), count);
      }
    }
    lane.mark();
  }

  @Override
  public void finish(Lane lane, Span piece) {
    lane.await();
  }
}
