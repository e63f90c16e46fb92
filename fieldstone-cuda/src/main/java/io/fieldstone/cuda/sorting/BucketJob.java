package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.ByteRange;
import io.fieldstone.cuda.execution.PieceJob;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.transfer.HostBytes;
import java.util.List;

/** Sorts buckets and downloads each of them while the next ones are sorted. */
class BucketJob implements PieceJob<Bucket> {

  private final SortKernels kernels;
  private final BucketItems items;
  private final List<Bucket> buckets;
  private final SortOutput output;
  private final HostBytes target;
  private long scratch;

  BucketJob(
      SortKernels kernels,
      BucketItems items,
      List<Bucket> buckets,
      SortOutput output,
      HostBytes target) {
    this.kernels = kernels;
    this.items = items;
    this.buckets = buckets;
    this.output = output;
    this.target = target;
  }

  SortKernels kernels() {
    return kernels;
  }

  HostBytes target() {
    return target;
  }

  /** Returns the number of items of the largest bucket. */
  long maxItems() {
    return Bucket.maxCount(buckets);
  }

  @Override
  public long pieceBytes() {
    return maxItems() * output.bytes();
  }

  @Override
  public int depth() {
    return kernels.tuning().buckets().depth();
  }

  /** Returns the buckets, which are given. */
  @Override
  public List<Bucket> split(long maxBytes) {
    return buckets;
  }

  @Override
  public void reserve(ScratchLayout scratch, List<Bucket> pieces) {
    items.reserve(scratch, buckets);
    this.scratch = output.isOfItems() ? 0 : scratch.device(maxItems() * output.bytes());
    target.reservePinned(scratch, maxItems() * output.bytes());
  }

  @Override
  public void enqueue(StreamSlot slot, Bucket bucket) {
    sort(slot, bucket);
    enqueueDownload(slot, bucket);
    slot.mark();
  }

  /** Returns the buffers of a bucket. */
  DoubleBuffer items(StreamSlot slot, Bucket bucket) {
    return items.items(slot, bucket);
  }

  /** Returns the address of the plan that says which buffer has {@link #sort sorted} items. */
  long plan(StreamSlot slot) {
    return items.plan(slot);
  }

  void sort(StreamSlot slot, Bucket bucket) {
    items.sort(slot, bucket);
  }

  /** Enqueues the download of a sorted bucket. */
  void enqueueDownload(StreamSlot slot, Bucket bucket) {
    DoubleBuffer sorted = items(slot, bucket);
    // Usually no copy: keys with an odd number of remaining digits end in the alternate buffer.
    long to = output.isOfItems() ? sorted.alternate() : slot.device(scratch);
    output.write(slot, kernels, sorted, plan(slot), bucket.count(), to);
    target.enqueueDownload(slot, to, range(bucket));
  }

  /** Returns the place of a bucket in the output. */
  ByteRange range(Bucket bucket) {
    return new ByteRange(bucket.first() * output.bytes(), bucket.count() * output.bytes());
  }

  @Override
  public void finish(StreamSlot slot, Bucket bucket) {
    slot.await();
    target.copyOut(slot, range(bucket));
  }
}
