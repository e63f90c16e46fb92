package io.fieldstone.cuda.sorting;

import java.util.List;

/**
 * A contiguous range of unsorted items: all items before it are less, all items after it greater.
 *
 * @param first index of its first item
 * @param count of its items, ≥ 1
 * @param isInAlternate whether the items are in the alternate buffer, after an odd number of passes
 * @param bins of the digit that it was partitioned by
 */
record Bucket(long first, long count, boolean isInAlternate, Bins bins) {

  /**
   * A range of histogram bins.
   *
   * @param first bin
   * @param end the bin after the last
   */
  record Bins(int first, int end) {
    static final Bins ALL = new Bins(0, SortKernels.RADIX_DIGITS);
  }

  /** Returns one bucket of all items, in the current buffer. */
  static Bucket ofAll(long count) {
    return new Bucket(0, count, false, Bins.ALL);
  }

  /** Returns the number of items of the largest bucket. */
  static long maxCount(List<Bucket> buckets) {
    return buckets.stream().mapToLong(Bucket::count).max().orElse(0);
  }

  /** Returns this bucket's part of the buffers of all items. */
  DoubleBuffer slice(DoubleBuffer all, SortLayout layout) {
    DoubleBuffer items = all.from(first * layout.itemBytes());
    return isInAlternate ? items.swapped() : items;
  }
}
