package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import java.util.List;

/** Gathers each bucket from the parts of an {@link IncrementalPartition} and sorts it. */
final class CollectedBuckets implements BucketItems {

  private final SortKernels kernels;
  private final SortKernels.Parts parts;
  private final long uploaded;
  private final int digit;
  private final long[] histogram;
  private final long segments;
  private final long plan;
  private long collected;
  private long storage;

  /**
   * Creates a collector.
   *
   * @param parts that were partitioned by {@code digit}
   * @param uploaded address of the uploaded items, which are overwritten
   * @param histogram of all parts
   * @param segments address of the table of {@link SortSegments}
   * @param plan address of the plan of sorted buckets
   */
  CollectedBuckets(
      SortKernels kernels,
      SortKernels.Parts parts,
      long uploaded,
      int digit,
      long[] histogram,
      long segments,
      long plan) {
    this.kernels = kernels;
    this.parts = parts;
    this.uploaded = uploaded;
    this.digit = digit;
    this.histogram = histogram;
    this.segments = segments;
    this.plan = plan;
  }

  @Override
  public void reserve(ScratchLayout scratch, List<Bucket> buckets) {
    collected = scratch.device(Bucket.maxCount(buckets) * kernels.layout().itemBytes());
    long maxBytes = 0;
    for (Bucket bucket : buckets) {
      maxBytes = Math.max(maxBytes, segmentsOf(bucket, 0).storageBytes());
    }
    storage = scratch.device(maxBytes);
  }

  private SortSegments segmentsOf(Bucket bucket, long storageAddress) {
    Bucket.Bins bins = bucket.bins();
    int firstBin = digit * SortKernels.RADIX_DIGITS;
    int tileItems = kernels.tileItems();
    int tiles =
        SortSegments.tiles(histogram, firstBin + bins.first(), firstBin + bins.end(), tileItems);
    return SortSegments.of(segments, bins, tiles, digit, storageAddress);
  }

  /** Returns the slot's buffer, with the place of the bucket among the uploaded items. */
  @Override
  public DoubleBuffer items(StreamSlot slot, Bucket bucket) {
    long place = uploaded + bucket.first() * kernels.layout().itemBytes();
    return new DoubleBuffer(slot.device(collected), place);
  }

  @Override
  public void sort(StreamSlot slot, Bucket bucket) {
    SortSegments own = segmentsOf(bucket, slot.device(storage));
    long bytes = bucket.count() * kernels.layout().itemBytes();
    try (StreamTrace.Open _ = slot.phase("collect", bytes)) {
      if (own.storageBytes() > 0) {
        slot.stream().fill(own.storage(), 0, own.storageBytes());
      }
      kernels.collect(slot, parts, own, slot.device(collected));
    }
    DoubleBuffer items = items(slot, bucket);
    try (StreamTrace.Open _ = slot.phase("sort", bytes)) {
      for (int lower = 0; lower < digit; lower++) {
        kernels.pass(slot, lower % 2 == 0 ? items : items.swapped(), own, lower);
      }
    }
  }

  @Override
  public long plan(StreamSlot slot) {
    return plan;
  }
}
