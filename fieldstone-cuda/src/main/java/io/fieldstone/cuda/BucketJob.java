package io.fieldstone.cuda;

import java.util.List;

/** Sorts buckets and brings them home, each while the next ones are sorted. */
final class BucketJob implements ByteJob<Bucket> {

  private static final int DEPTH = 4;

  private final SortKernels kernels;
  private final BucketItems items;
  private final List<Bucket> buckets;
  private final Delivery delivery;
  private final HostBytes home;
  private long scratch;

  BucketJob(
      SortKernels kernels,
      BucketItems items,
      List<Bucket> buckets,
      Delivery delivery,
      HostBytes home) {
    this.kernels = kernels;
    this.items = items;
    this.buckets = buckets;
    this.delivery = delivery;
    this.home = home;
  }

  SortKernels kernels() {
    return kernels;
  }

  HostBytes home() {
    return home;
  }

  /** Items of the largest bucket. */
  long most() {
    return Bucket.most(buckets);
  }

  @Override
  public long pieceBytes() {
    return most() * delivery.bytes();
  }

  @Override
  public int depth() {
    return DEPTH;
  }

  /** The buckets, which are cut already. */
  @Override
  public List<Bucket> cut(long bytes) {
    return buckets;
  }

  @Override
  public void reserve(Workspace workspace, List<Bucket> pieces) {
    items.reserve(workspace, buckets);
    scratch = delivery.isOfItems() ? 0 : workspace.device(most() * delivery.bytes());
    home.reservePinned(workspace, most() * delivery.bytes());
  }

  @Override
  public void begin(Lane lane, Bucket bucket) {
    sort(lane, bucket);
    send(lane, bucket);
    lane.mark();
  }

  /** Items of a bucket and their room. */
  SortItems items(Lane lane, Bucket bucket) {
    return items.items(lane, bucket);
  }

  /** Address of the plan that says where {@link #sort sorted} items are. */
  long plan(Lane lane) {
    return items.plan(lane);
  }

  void sort(Lane lane, Bucket bucket) {
    items.sort(lane, bucket);
  }

  /** Asks for a sorted bucket from the GPU. */
  void send(Lane lane, Bucket bucket) {
    SortItems sorted = items(lane, bucket);
    // Most keys have an odd number of digits left, and so are there already.
    long to = delivery.isOfItems() ? sorted.other() : lane.device(scratch);
    delivery.deliver(lane, kernels, sorted, plan(lane), bucket.count(), to);
    home.download(lane, to, span(bucket));
  }

  /** Where a bucket belongs. */
  Span span(Bucket bucket) {
    return new Span(bucket.first() * delivery.bytes(), bucket.count() * delivery.bytes());
  }

  @Override
  public void finish(Lane lane, Bucket bucket) {
    lane.await();
    home.bringHome(lane, span(bucket));
  }
}
