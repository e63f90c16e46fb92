package io.fieldstone.cpu.sorting;

import java.util.SortedMap;

/** How often each of a few different keys occurs. Not thread-safe. */
final class KeyTally {

  /** Maximum number of keys: sorting more takes about as long as counting them. */
  private static final int MAX_KEYS = 64;

  /** Few slots of the table are in use, so that most keys are in the slot that is tried first. */
  private static final int SLOT_BITS = 9;

  private static final int SLOTS = 1 << SLOT_BITS;

  /** Counts of a slot, which items take in turns: one that just increased is not ready at once. */
  private static final int COUNTS = 4;

  /** The key of each slot, and then the counts of each. */
  private final long[] table = new long[SLOTS * (1 + COUNTS)];

  private int left = MAX_KEYS;

  /** Counts items in a table. */
  interface Loop {
    /** As {@link NativeSortKernels#tally}. */
    int count(int left, int slotBits, long[] table);
  }

  /** Counts items; returns false if there are too many keys, now or before. */
  boolean add(Loop loop) {
    if (left >= 0) {
      left = loop.count(left, SLOT_BITS, table);
    }
    return left >= 0;
  }

  /** Adds the count of each key to others. */
  void addTo(SortedMap<Long, Long> counts) {
    for (int slot = 0; slot < SLOTS; slot++) {
      long count = 0;
      for (int i = 0; i < COUNTS; i++) {
        count += table[SLOTS + slot * COUNTS + i];
      }
      if (count > 0) {
        counts.merge(table[slot], count, Long::sum);
      }
    }
  }
}
