package io.fieldstone.cuda.sorting;

import java.util.List;

/**
 * Items that stand between all lesser and all greater ones, in any order.
 *
 * @param first its first item's number
 * @param count of its items, ≥ 1
 * @param isMoved whether they are in the room, after an odd number of passes
 * @param values that the digit by which it was cut has in it
 */
record Bucket(long first, long count, boolean isMoved, Values values) {

  /**
   * Values of a digit, one after the other.
   *
   * @param first of them
   * @param end the one after the last
   */
  record Values(int first, int end) {
    static final Values ALL = new Values(0, SortKernels.VALUES);
  }

  /** So many items, none of which has been moved. */
  static Bucket of(long count) {
    return new Bucket(0, count, false, Values.ALL);
  }

  /** Items of the largest. */
  static long most(List<Bucket> buckets) {
    return buckets.stream().mapToLong(Bucket::count).max().orElse(0);
  }

  /** Its items among all. */
  DoubleBuffer of(DoubleBuffer all, SortLayout layout) {
    DoubleBuffer items = all.from(first * layout.itemBytes());
    return isMoved ? items.moved() : items;
  }
}
