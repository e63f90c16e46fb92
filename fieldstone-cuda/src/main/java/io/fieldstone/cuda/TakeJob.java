package io.fieldstone.cuda;

import java.util.List;

/** Brings records to the GPU piece by piece, and makes items of them. */
final class TakeJob implements ByteJob<Span> {

  private final HostBytes host;
  private final SortKernels kernels;
  private final SortLayout layout;
  private final Landing landing;
  private final Arrivals arrivals;
  private final long pieceBytes;

  /**
   * Where records go.
   *
   * @param items address of the item of the first record
   * @param records address of the first record, where they stay for {@link Delivery}; 0 if they do
   *     not
   * @param index of the first record
   */
  record Landing(long items, long records, long index) {

    /** That of what follows on so many records. */
    Landing after(long count, SortLayout layout) {
      long there = records == 0 ? 0 : records + count * layout.format().bytes();
      return new Landing(items + count * layout.itemBytes(), there, index + count);
    }
  }

  /** What is done with items as they arrive, piece by piece. */
  interface Arrivals {

    /** Nothing. */
    Arrivals LEFT_ALONE = (_, _, _) -> {};

    /** Reserves what lanes need for up to so many items at a time. */
    default void reserve(Workspace workspace, long most) {}

    /** Asks for what is done with items that the lane will have brought, the next ones. */
    void arrived(Lane lane, long items, long count);

    /** Asks for the rest, a piece or two later: for the next piece that has arrived. */
    default void proceed(Lane lane) {}

    /** Called before the host waits for a piece. */
    default void beforeWaiting() {}
  }

  /**
   * @param pieceBytes of records that cross the bus at a time
   */
  TakeJob(
      HostBytes host, SortKernels kernels, Landing landing, Arrivals arrivals, long pieceBytes) {
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
    return Crossing.ONE_WAY.depth();
  }

  /** Whole records, as many as was said: arrivals may be prepared for so many pieces. */
  @Override
  public List<Span> cut(long most) {
    return pieces(host, layout, pieceBytes);
  }

  /** The pieces that records arrive in. */
  static List<Span> pieces(HostBytes host, SortLayout layout, long pieceBytes) {
    return Span.cut(host.byteSize(), pieceBytes, layout.format().bytes());
  }

  @Override
  public void reserve(Workspace workspace, List<Span> pieces) {
    arrivals.reserve(workspace, Span.most(pieces) / layout.format().bytes());
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
    arrivals.arrived(lane, here.items(), count);
    lane.mark();
  }

  @Override
  public void proceed(Lane lane, Span piece) {
    arrivals.proceed(lane);
    lane.mark();
  }

  @Override
  public void finish(Lane lane, Span piece) {
    arrivals.beforeWaiting();
    lane.await();
  }
}
