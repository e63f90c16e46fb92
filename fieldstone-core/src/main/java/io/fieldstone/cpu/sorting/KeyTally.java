package io.fieldstone.cpu.sorting;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.SortedMap;

/**
 * How often each of a few different keys occurs. Not thread-safe.
 *
 * <p>The table is in working memory: pages of new arrays would take longer than counting.
 */
final class KeyTally {

  /** Maximum number of keys: sorting more takes about as long as counting them. */
  private static final int MAX_KEYS = 64;

  /** Few slots of the table are in use, so that most keys are in the slot that is tried first. */
  private static final int SLOT_BITS = 8;

  private static final int SLOTS = 1 << SLOT_BITS;

  /** Counts of a slot, which items take in turns: one that just increased is not ready at once. */
  private static final int COUNTS = 4;

  /** Bytes of the table: the key of each slot, and then the counts of each. */
  static final long BYTES = (long) SLOTS * (1 + COUNTS) * Long.BYTES;

  private final MemorySegment table;
  private int left = MAX_KEYS;

  /**
   * Makes an empty tally.
   *
   * @param address of {@link #BYTES} bytes of native memory
   */
  KeyTally(long address) {
    this.table = MEMORY.asSlice(address, BYTES).fill((byte) 0);
  }

  /** Counts items in a table. */
  interface Loop {
    /** As {@link NativeSortKernels#tally}. */
    int count(int left, int slotBits, MemorySegment table);
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
        count += word(SLOTS + slot * COUNTS + i);
      }
      if (count > 0) {
        counts.merge(word(slot), count, Long::sum);
      }
    }
  }

  private long word(int index) {
    return table.get(JAVA_LONG_UNALIGNED, (long) index * Long.BYTES);
  }
}
