package io.fieldstone.cuda.sorting;

import java.util.ArrayList;
import java.util.List;

/**
 * The desired sizes of buckets. The first buckets are small, so that their download starts early;
 * the last ones are small, so that little work follows the last transfer.
 *
 * @param target maximum number of items of a bucket
 * @param min number of items of the first and the last bucket
 */
record BucketSizes(long target, long min) {

  /** A bucket has at most 1/2 of the items before it, or of the items from it on. */
  private static final int GROWTH_DIVISOR = 2;

  /** Returns sizes that are all equal. */
  static BucketSizes all(long target) {
    return new BucketSizes(target, target);
  }

  /**
   * Makes buckets of items that were partitioned by a digit. Small neighbouring bins are merged.
   *
   * @param histogram of all digits
   * @param digit by which {@code whole} was partitioned
   */
  List<Bucket> balance(long[] histogram, int digit, Bucket whole) {
    List<Bucket> balanced = new ArrayList<>();
    int firstBin = 0;
    long first = whole.first();
    long merged = 0;
    for (int bin = 0; bin < SortKernels.RADIX_DIGITS; bin++) {
      long count = histogram[digit * SortKernels.RADIX_DIGITS + bin];
      if (merged > 0 && merged + count > maxItems(first, whole)) {
        Bucket.Bins bins = new Bucket.Bins(firstBin, bin);
        balanced.add(new Bucket(first, merged, !whole.isInAlternate(), bins));
        first += merged;
        merged = 0;
        firstBin = bin;
      }
      merged += count;
    }
    if (merged > 0) {
      Bucket.Bins bins = new Bucket.Bins(firstBin, SortKernels.RADIX_DIGITS);
      balanced.add(new Bucket(first, merged, !whole.isInAlternate(), bins));
    }
    return balanced;
  }

  /** Returns the maximum number of items of a bucket that begins with item {@code first}. */
  private long maxItems(long first, Bucket whole) {
    long before = first - whole.first();
    long left = whole.count() - before;
    return Math.clamp(Math.min(before, left) / GROWTH_DIVISOR, Math.min(min, target), target);
  }
}
