package io.fieldstone.cuda.sorting;

import java.util.ArrayList;
import java.util.List;

/**
 * Items that buckets should have: few in the first ones, so that they are soon sorted and on their
 * way, and few in the last ones, so that little is left to be done when they have arrived.
 *
 * @param target items of most
 * @param least items of the first and the last
 */
record BucketSizes(long target, long least) {

  /** The next bucket has at most this part of what is before it, or of what is left. */
  private static final int PART = 2;

  /** All of one size. */
  static BucketSizes all(long target) {
    return new BucketSizes(target, target);
  }

  /**
   * Makes buckets of items that have been moved by a digit: neighbours that are small are made one.
   *
   * @param counts of the values of all digits
   * @param digit by which {@code whole} has been moved
   */
  List<Bucket> balance(long[] counts, int digit, Bucket whole) {
    List<Bucket> balanced = new ArrayList<>();
    int firstValue = 0;
    long first = whole.first();
    long together = 0;
    for (int value = 0; value < SortKernels.VALUES; value++) {
      long some = counts[digit * SortKernels.VALUES + value];
      if (together > 0 && together + some > most(first, whole)) {
        Bucket.Values values = new Bucket.Values(firstValue, value);
        balanced.add(new Bucket(first, together, !whole.isMoved(), values));
        first += together;
        together = 0;
        firstValue = value;
      }
      together += some;
    }
    if (together > 0) {
      Bucket.Values values = new Bucket.Values(firstValue, SortKernels.VALUES);
      balanced.add(new Bucket(first, together, !whole.isMoved(), values));
    }
    return balanced;
  }

  /** Of a bucket that begins with item {@code first}. */
  private long most(long first, Bucket whole) {
    long before = first - whole.first();
    long left = whole.count() - before;
    return Math.clamp(Math.min(before, left) / PART, Math.min(least, target), target);
  }
}
