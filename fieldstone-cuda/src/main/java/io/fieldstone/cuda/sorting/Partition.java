package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.StreamSlot;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Partitions items into balanced buckets by their most significant digit (radix paper, III-B).
 * Small neighbouring bins are merged; a bucket that is too large is partitioned by its next digit.
 *
 * @param storage of the slot that partitions, whose histogram the host reads
 * @param sizes of the buckets
 */
record Partition(SortTempStorage storage, BucketSizes sizes) {

  /** Partitions items whose histogram has been computed. Waits for the histogram. */
  List<Bucket> cut(StreamSlot slot, DoubleBuffer all, long count) {
    List<Bucket> buckets = new ArrayList<>();
    if (count > 0) {
      cut(slot, all, Bucket.ofAll(count), buckets);
    }
    return buckets;
  }

  /** Sorts items whose histogram has been computed, bucket by bucket, in the current buffer. */
  void sort(StreamSlot slot, DoubleBuffer all, long count) {
    SortKernels kernels = storage.kernels();
    SortLayout layout = kernels.layout();
    for (Bucket bucket : cut(slot, all, count)) {
      DoubleBuffer items = bucket.slice(all, layout);
      storage.sort(slot, items, bucket.count());
      long to = all.current() + bucket.first() * layout.itemBytes();
      kernels.copyItems(slot, items, storage.plan(slot), to, bucket.count());
    }
    // A plan of zeros says that all items are in the current buffer.
    slot.stream().fill(storage.plan(slot), 0, SortKernels.PLAN.byteSize());
  }

  private void cut(StreamSlot slot, DoubleBuffer all, Bucket whole, List<Bucket> buckets) {
    SortLayout layout = storage.kernels().layout();
    long maxItems = storage.kernels().tuning().buckets().maxExcess() * sizes.target();
    long count = whole.count();
    storage.makePlan(slot, count);
    long[] histogram = storage.readHistogram(slot);
    OptionalInt varyingDigit = highestVaryingDigit(histogram, layout.digits(), count);
    if (varyingDigit.isEmpty()) {
      cutEqualKeys(whole, buckets);
      return;
    }
    int digit = varyingDigit.getAsInt();
    storage.pass(slot, whole.slice(all, layout), count, digit);
    for (Bucket bucket : sizes.balance(histogram, digit, whole)) {
      if (bucket.count() > maxItems) {
        storage.count(slot, bucket.slice(all, layout).current(), bucket.count());
        cut(slot, all, bucket, buckets);
      } else {
        buckets.add(bucket);
      }
    }
  }

  /** Returns the highest digit in which items differ. */
  static OptionalInt highestVaryingDigit(long[] histogram, int digits, long count) {
    for (int digit = digits - 1; digit >= 0; digit--) {
      for (int bin = 0; bin < SortKernels.RADIX_DIGITS; bin++) {
        long inBin = histogram[digit * SortKernels.RADIX_DIGITS + bin];
        if (inBin > 0 && inBin < count) {
          return OptionalInt.of(digit);
        }
      }
    }
    return OptionalInt.empty();
  }

  /** Cuts a bucket of equal keys, which may be cut anywhere. */
  private void cutEqualKeys(Bucket whole, List<Bucket> buckets) {
    for (long done = 0; done < whole.count(); done += sizes.target()) {
      long count = Math.min(sizes.target(), whole.count() - done);
      buckets.add(new Bucket(whole.first() + done, count, whole.isInAlternate(), whole.bins()));
    }
  }
}
