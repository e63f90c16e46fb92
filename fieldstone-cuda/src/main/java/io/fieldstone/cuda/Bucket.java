package io.fieldstone.cuda;

/**
 * Items that stand between all lesser and all greater ones, in any order.
 *
 * @param first its first item's number
 * @param count of its items, ≥ 1
 * @param isMoved whether they are in the room, after an odd number of passes
 */
record Bucket(long first, long count, boolean isMoved) {

  /** Its items among all. */
  SortItems of(SortItems all, SortLayout layout) {
    SortItems items = all.from(first * layout.itemBytes());
    return isMoved ? items.moved() : items;
  }
}
