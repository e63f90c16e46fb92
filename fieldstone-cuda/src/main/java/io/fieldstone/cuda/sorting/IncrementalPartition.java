package io.fieldstone.cuda.sorting;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.driver.Stream;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Partitions items by one digit during the upload, each uploaded part by itself. After the last
 * part, {@link CollectedBuckets} gathers a bucket from the same bins of all parts and sorts it by
 * the lower digits.
 *
 * <p>The digit is the highest one in which items of the first part differ. If items of later parts
 * differ in a higher digit, or if a bin is too large, {@link #buckets} is empty; the uploaded items
 * are unchanged in the current buffer. Not thread-safe.
 */
final class IncrementalPartition implements RecordUpload.UploadListener {

  private final Buffers buffers;
  private final SortKernels kernels;
  private final StreamSlot slot;
  private final DoubleBuffer all;

  /** Index of the first item of each part, and the number of items so far. */
  private final List<Long> offsets = new ArrayList<>(List.of(0L));

  private int partitioned;
  private int digit;
  private long plan;
  private long lookback;

  /**
   * Offsets of the buffers in the stream slot that has all items.
   *
   * @param maxParts maximum number of parts, at most {@link SortKernels#MAX_PARTS}
   * @param histograms of each part
   * @param binOffsets of each part
   * @param partOffsets the index of the first item of each part, and the number of all items
   * @param total the sum of the histograms
   * @param segments a table of {@link SortSegments}
   * @param bucketPlan the plan of sorted buckets
   * @param pinned host copies of {@code partOffsets} and of one histogram
   */
  record Buffers(
      SortKernels kernels,
      int maxParts,
      long histograms,
      long binOffsets,
      long partOffsets,
      long total,
      long segments,
      long bucketPlan,
      long pinned) {

    private long partOffsetBytes() {
      return partOffsetBytes(maxParts);
    }

    private static long partOffsetBytes(int parts) {
      return (parts + 1L) * Long.BYTES;
    }

    private long histogramBytes() {
      return histogramBytes(kernels);
    }

    private static long histogramBytes(SortKernels kernels) {
      return (long) kernels.layout().digits() * SortKernels.RADIX_DIGITS * Long.BYTES;
    }

    /** Returns the address of the histograms of a part. */
    private long histogram(StreamSlot slot, int part) {
      return slot.device(histograms) + part * histogramBytes();
    }

    /** Returns the address of the bin offsets of a part, which are twice as large. */
    private long binOffsets(StreamSlot slot, int part) {
      return slot.device(binOffsets) + part * 2 * histogramBytes();
    }

    private MemorySegment pinnedHistogram(StreamSlot slot) {
      return slot.pinned(pinned + partOffsetBytes(), histogramBytes());
    }

    private MemorySegment pinnedPartOffsets(StreamSlot slot, int parts) {
      return slot.pinned(pinned, partOffsetBytes(parts));
    }
  }

  /** Reserves the buffers of a partition of up to {@code maxParts} parts. */
  static Buffers reserve(SortKernels kernels, ScratchLayout scratch, int maxParts) {
    long histogramBytes = Buffers.histogramBytes(kernels);
    long partOffsetBytes = Buffers.partOffsetBytes(maxParts);
    return new Buffers(
        kernels,
        maxParts,
        scratch.device(maxParts * histogramBytes),
        scratch.device(maxParts * 2 * histogramBytes),
        scratch.device(partOffsetBytes),
        scratch.device(histogramBytes),
        scratch.device(SortSegments.TABLE_BYTES),
        scratch.device(SortKernels.PLAN.byteSize()),
        scratch.pinned(partOffsetBytes + histogramBytes));
  }

  /**
   * Creates a partition without parts.
   *
   * @param slot in which the buffers were reserved
   * @param all receives the items in its current buffer, and the parts in its alternate one
   */
  IncrementalPartition(Buffers buffers, StreamSlot slot, DoubleBuffer all) {
    this.buffers = buffers;
    this.kernels = buffers.kernels();
    this.slot = slot;
    this.all = all;
  }

  @Override
  public void reserve(ScratchLayout scratch, long maxItems) {
    plan = scratch.device(SortKernels.PLAN.byteSize());
    lookback = scratch.device(kernels.lookbackBytes(maxItems));
  }

  private int parts() {
    return offsets.size() - 1;
  }

  private long count(int part) {
    return offsets.get(part + 1) - offsets.get(part);
  }

  private SortKernels.Parts allParts() {
    return new SortKernels.Parts(
        all.alternate(),
        buffers.histogram(slot, 0),
        buffers.binOffsets(slot, 0),
        slot.device(buffers.partOffsets()),
        parts());
  }

  /** Enqueues the histograms of the next part. */
  @Override
  public void enqueue(StreamSlot uploadSlot, long items, long count) {
    int part = parts();
    offsets.add(offsets.getLast() + count);
    long histogram = buffers.histogram(slot, part);
    uploadSlot.stream().fill(histogram, 0, buffers.histogramBytes());
    kernels.histogram(uploadSlot, items, histogram, count);
    if (part == 0) {
      uploadSlot.stream().download(histogram, buffers.pinnedHistogram(slot));
    }
  }

  /** Enqueues the pass over the next part. The first call waits for the first histograms. */
  @Override
  public void enqueueDependent(StreamSlot uploadSlot) {
    if (partitioned == 0) {
      uploadSlot.await();
      long[] histogram = buffers.pinnedHistogram(slot).toArray(JAVA_LONG);
      int digits = kernels.layout().digits();
      digit = Partition.highestVaryingDigit(histogram, digits, count(0)).orElse(digits - 1);
    }
    int part = partitioned++;
    long count = count(part);
    long binOffsets = buffers.binOffsets(slot, part);
    DoubleBuffer items = all.from(offsets.get(part) * kernels.layout().itemBytes());
    try (StreamTrace.Open _ = uploadSlot.phase("partition", count * kernels.layout().itemBytes())) {
      kernels.plan(
          uploadSlot, buffers.histogram(slot, part), binOffsets, uploadSlot.device(plan), count);
      kernels.pass(uploadSlot, items, 0, binOffsets, uploadSlot.device(lookback), count, digit);
    }
  }

  /** Adds up the histograms of all parts, makes the segments, and waits for the total. */
  long[] total() {
    MemorySegment partOffsets = buffers.pinnedPartOffsets(slot, parts());
    for (int i = 0; i < offsets.size(); i++) {
      partOffsets.setAtIndex(JAVA_LONG, i, offsets.get(i));
    }
    Stream stream = slot.stream();
    stream.upload(partOffsets, slot.device(buffers.partOffsets()));
    long total = slot.device(buffers.total());
    long bucketPlan = slot.device(buffers.bucketPlan());
    kernels.segments(slot, allParts(), total, slot.device(buffers.segments()), bucketPlan, digit);
    MemorySegment histogram = buffers.pinnedHistogram(slot);
    stream.download(total, histogram);
    stream.synchronize();
    return histogram.toArray(JAVA_LONG);
  }

  /**
   * Returns the buckets of all parts, or empty if the items must be sorted in another way.
   *
   * @param histogram of {@link #total}
   * @param maxItems of a bucket
   */
  Optional<List<Bucket>> buckets(long[] histogram, BucketSizes sizes, long maxItems) {
    Bucket whole = Bucket.ofAll(offsets.getLast());
    int digits = kernels.layout().digits();
    if (Partition.highestVaryingDigit(histogram, digits, whole.count()).orElse(digit) != digit) {
      return Optional.empty();
    }
    List<Bucket> buckets = sizes.balance(histogram, digit, whole);
    boolean areSmall = buckets.stream().allMatch(bucket -> bucket.count() <= maxItems);
    return areSmall ? Optional.of(buckets) : Optional.empty();
  }

  /**
   * Returns the items of the buckets, which are collected when they are sorted.
   *
   * @param histogram of {@link #total}
   */
  CollectedBuckets collector(long[] histogram) {
    return new CollectedBuckets(
        kernels,
        allParts(),
        all.current(),
        digit,
        histogram,
        slot.device(buffers.segments()),
        slot.device(buffers.bucketPlan()));
  }
}
