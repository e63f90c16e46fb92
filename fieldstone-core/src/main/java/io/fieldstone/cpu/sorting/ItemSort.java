package io.fieldstone.cpu.sorting;

/** Sorts items of one kind, wherever they come from and go to. Thread-safe. */
public interface ItemSort {

  /**
   * Sorts.
   *
   * @return whether it has; not if the source is not sound, and then nothing was stored
   */
  boolean sort(long count, Source source, Sink sink);

  /** Where items come from. For several threads at once. */
  interface Source {
    /**
     * Makes items, if they are not somewhere already.
     *
     * @param first how many come before them
     * @param spare address of memory for them
     * @return where they are, to be read only
     */
    default long load(long first, int count, long spare) {
      copy(first, count, spare);
      return spare;
    }

    /** As {@link #load}, into memory in any case. */
    void copy(long first, int count, long to);

    /**
     * Counts items by a digit, as {@link ItemOps#count(long, int, int, long[])} does.
     *
     * @param spare address of memory for them
     */
    default void count(ItemOps items, long first, int count, long spare, int shift, long[] counts) {
      items.count(load(first, count, spare), count, shift, counts);
    }

    /**
     * Moves items by a digit, as {@link ItemOps#scatterWithin} does.
     *
     * @param spare address of memory for them
     */
    default void scatterWithin(
        ItemOps items, long first, int count, long spare, int shift, long[] heads, long last) {
      items.scatterWithin(load(first, count, spare), count, shift, heads, last);
    }

    /** Whether all that was loaded can be items; asked before any is stored. */
    default boolean isSound() {
      return true;
    }
  }

  /** Where items go. For several threads at once. */
  interface Sink {
    /**
     * Takes items, and may change them where they are.
     *
     * @param first how many come before them
     */
    void store(long from, int count, long first);
  }
}
