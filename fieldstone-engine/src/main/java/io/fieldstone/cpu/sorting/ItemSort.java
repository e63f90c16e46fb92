package io.fieldstone.cpu.sorting;

import io.fieldstone.cpu.sorting.SortMemory.Workbench;

/** Sorts items of one kind from a source to a sink. Thread-safe. */
public interface ItemSort {

  /**
   * Sorts all items of a source.
   *
   * @return false if the source contains NaN; then no item was stored
   */
  boolean sort(long count, Source source, Sink sink);

  /** Supplies items to several threads at once. */
  interface Source {
    /** Returns the number of items to {@link #load} at once. */
    default int blockItems() {
      return Workbench.BLOCK_ITEMS;
    }

    /**
     * Returns the address of items, after copying them to {@code spare} if they are not in native
     * memory already.
     *
     * @param first number of items before them
     * @param spare address of memory for the items
     * @return address of the items, which must not be written
     */
    default long load(long first, int count, long spare) {
      copy(first, count, spare);
      return spare;
    }

    /** Copies items to an address, as {@link #load} does if necessary. */
    void copy(long first, int count, long to);

    /**
     * Counts items by a digit, as {@link ItemOps#count(long, int, int, long[])} does.
     *
     * @param spare address of memory for the items
     */
    default void count(ItemOps items, long first, int count, long spare, int shift, long[] counts) {
      items.count(load(first, count, spare), count, shift, counts);
    }

    /**
     * Moves items by a digit, as {@link ItemOps#scatterWithin} does.
     *
     * @param spare address of memory for the items
     */
    default void scatterWithin(
        ItemOps items, long first, int count, long spare, int shift, long[] heads, long last) {
      items.scatterWithin(load(first, count, spare), count, shift, heads, last);
    }

    /** Returns whether no loaded key is NaN. Called before any item is stored. */
    default boolean hasNoNan() {
      return true;
    }
  }

  /** Receives sorted items from several threads at once. */
  interface Sink {
    /**
     * Stores items; may modify them in place.
     *
     * @param first number of items before them
     */
    void store(long from, int count, long first);
  }
}
