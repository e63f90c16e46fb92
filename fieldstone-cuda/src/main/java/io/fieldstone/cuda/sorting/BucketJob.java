package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.ByteRange;
import io.fieldstone.cuda.execution.PieceJob;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.transfer.HostBytes;
import java.util.List;

/** Sorts buckets and brings them home, each while the next ones are sorted. */
final class BucketJob implements PieceJob<Bucket> {

  private static final int DEPTH = 4;

  private final SortKernels kernels;
  private final BucketItems items;
  private final List<Bucket> buckets;
  private final SortOutput delivery;
  private final HostBytes home;
  private long scratch;

  BucketJob(
      SortKernels kernels,
      BucketItems items,
      List<Bucket> buckets,
      SortOutput delivery,
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
  public List<Bucket> split(long bytes) {
    return buckets;
  }

  @Override
  public void reserve(ScratchLayout scratch, List<Bucket> pieces) {
    items.reserve(scratch, buckets);
    this.scratch = delivery.isOfItems() ? 0 : scratch.device(most() * delivery.bytes());
    home.reservePinned(scratch, most() * delivery.bytes());
  }

  @Override
  public void enqueue(StreamSlot slot, Bucket bucket) {
    sort(slot, bucket);
    send(slot, bucket);
    slot.mark();
  }

  /** Items of a bucket and their room. */
  DoubleBuffer items(StreamSlot slot, Bucket bucket) {
    return items.items(slot, bucket);
  }

  /** Address of the plan that says where {@link #sort sorted} items are. */
  long plan(StreamSlot slot) {
    return items.plan(slot);
  }

  void sort(StreamSlot slot, Bucket bucket) {
    items.sort(slot, bucket);
  }

  /** Asks for a sorted bucket from the GPU. */
  void send(StreamSlot slot, Bucket bucket) {
    DoubleBuffer sorted = items(slot, bucket);
    // Most keys have an odd number of digits left, and so are there already.
    long to = delivery.isOfItems() ? sorted.other() : slot.device(scratch);
    delivery.deliver(slot, kernels, sorted, plan(slot), bucket.count(), to);
    home.enqueueDownload(slot, to, span(bucket));
  }

  /** Where a bucket belongs. */
  ByteRange span(Bucket bucket) {
    return new ByteRange(bucket.first() * delivery.bytes(), bucket.count() * delivery.bytes());
  }

  @Override
  public void finish(StreamSlot slot, Bucket bucket) {
    slot.await();
    home.copyOut(slot, span(bucket));
  }
}
