package io.fieldstone.cuda.sorting;

import io.fieldstone.cuda.execution.StreamSlot;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Cuts items into buckets by their most significant digit, and balances these (radix paper, III-B):
 * neighbours that are small are made one, one that is too large is cut by its next digit.
 *
 * @param bench of the lane in which this is done, whose counts the host reads
 * @param sizes that buckets should have
 */
record Partition(SortTempStorage bench, BucketSizes sizes) {

  /** Buckets have at most so many times the items that they should have. */
  static final int MOST = 2;

  /** Cuts items of which the digits have been counted. Waits for the counts. */
  List<Bucket> cut(StreamSlot slot, DoubleBuffer all, long count) {
    List<Bucket> buckets = new ArrayList<>();
    if (count > 0) {
      cut(slot, all, Bucket.of(count), buckets);
    }
    return buckets;
  }

  /** Sorts items, of which the digits have been counted, bucket by bucket, to where they are. */
  void sort(StreamSlot slot, DoubleBuffer all, long count) {
    SortKernels kernels = bench.kernels();
    SortLayout layout = kernels.layout();
    for (Bucket bucket : cut(slot, all, count)) {
      DoubleBuffer items = bucket.of(all, layout);
      bench.sort(slot, items, bucket.count());
      long to = all.here() + bucket.first() * layout.itemBytes();
      kernels.copyItems(slot, items, bench.plan(slot), to, bucket.count());
    }
    // A plan of zeros says that all items are in the first place.
    slot.stream().fill(bench.plan(slot), 0, SortKernels.PLAN_BYTES);
  }

  private void cut(StreamSlot slot, DoubleBuffer all, Bucket whole, List<Bucket> buckets) {
    SortLayout layout = bench.kernels().layout();
    long count = whole.count();
    bench.makePlan(slot, count);
    long[] counts = bench.read(slot);
    OptionalInt telling = highestVaryingDigit(counts, layout.digits(), count);
    if (telling.isEmpty()) {
      cutEqual(whole, buckets);
      return;
    }
    int digit = telling.getAsInt();
    bench.pass(slot, whole.of(all, layout), count, digit);
    for (Bucket bucket : sizes.balance(counts, digit, whole)) {
      if (bucket.count() > MOST * sizes.target()) {
        bench.count(slot, bucket.of(all, layout).here(), bucket.count());
        cut(slot, all, bucket, buckets);
      } else {
        buckets.add(bucket);
      }
    }
  }

  /** The highest digit that not all items share. */
  static OptionalInt highestVaryingDigit(long[] counts, int digits, long count) {
    for (int digit = digits - 1; digit >= 0; digit--) {
      for (int value = 0; value < SortKernels.VALUES; value++) {
        long some = counts[digit * SortKernels.VALUES + value];
        if (some > 0 && some < count) {
          return OptionalInt.of(digit);
        }
      }
    }
    return OptionalInt.empty();
  }

  /** Equal keys are in order wherever they are cut. */
  private void cutEqual(Bucket whole, List<Bucket> buckets) {
    for (long done = 0; done < whole.count(); done += sizes.target()) {
      long some = Math.min(sizes.target(), whole.count() - done);
      buckets.add(new Bucket(whole.first() + done, some, whole.isMoved(), whole.values()));
    }
  }
}
