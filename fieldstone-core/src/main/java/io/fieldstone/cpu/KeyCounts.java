package io.fieldstone.cpu;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How often each of some keys was seen, while they are few: a hash table of as many counters as the
 * first-level cache holds beside what it is filled from. For one thread.
 */
final class KeyCounts {

  private static final int SLOT_BITS = 9;
  private static final int SLOTS = 1 << SLOT_BITS;

  /** More would meet each other too often. */
  private static final int MOST_KEYS = SLOTS / 2;

  /** Odd, without structure: the fraction of the golden ratio. */
  private static final int MULTIPLIER = 0x9E37_79B9;

  private final long[] keys = new long[SLOTS];
  private final int[] lowKeys = new int[SLOTS];
  private final long[] counts = new long[SLOTS];
  private int different;
  private boolean areFew = true;

  /**
   * Counts of no key yet.
   *
   * @param first some key: it stands in every slot that is free, where nobody looks for it but in
   *     its own
   */
  KeyCounts(long first) {
    Arrays.fill(keys, first);
    Arrays.fill(lowKeys, (int) first);
  }

  /** The slots' keys, for the loops that look keys up. */
  long[] keys() {
    return keys;
  }

  /** The low halves of the slots' keys, which are all there is of keys of 32 bits. */
  int[] lowKeys() {
    return lowKeys;
  }

  /** The slots' counts, for these loops to raise. */
  long[] counts() {
    return counts;
  }

  /** The slot that a key is in if no other was there before it. */
  static int slot(long key) {
    return slot((int) (key ^ key >>> Integer.SIZE));
  }

  /** The same of a key of 32 bits. */
  static int slot(int key) {
    return key * MULTIPLIER >>> (Integer.SIZE - SLOT_BITS);
  }

  /** The slot of a key that is not in its first; it gets one if it has none. */
  int otherSlot(long key) {
    int slot = slot(key);
    while (counts[slot] != 0 && keys[slot] != key) {
      slot = slot + 1 & SLOTS - 1;
    }
    if (counts[slot] == 0) {
      keys[slot] = key;
      lowKeys[slot] = (int) key;
      areFew = ++different <= MOST_KEYS;
    }
    return slot;
  }

  /** Whether the keys seen are few; from where they are not, nothing more may be counted. */
  boolean areFew() {
    return areFew;
  }

  /** The sums of some counts, the least key first, as an unsigned number. */
  static KeyRuns sum(List<KeyCounts> parts) {
    Map<Long, Long> sums = new HashMap<>();
    for (KeyCounts part : parts) {
      for (int slot = 0; slot < SLOTS; slot++) {
        if (part.counts[slot] != 0) {
          sums.merge(part.keys[slot], part.counts[slot], Long::sum);
        }
      }
    }
    List<Map.Entry<Long, Long>> sorted =
        sums.entrySet().stream()
            .sorted(Comparator.comparing(Map.Entry::getKey, Long::compareUnsigned))
            .toList();
    return new KeyRuns(
        sorted.stream().mapToLong(Map.Entry::getKey).toArray(),
        sorted.stream().mapToLong(Map.Entry::getValue).toArray());
  }
}
