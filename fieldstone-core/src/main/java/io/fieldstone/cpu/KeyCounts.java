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

  private static final int SLOT_BITS = 10;
  private static final int SLOTS = 1 << SLOT_BITS;

  /** More would meet each other too often. */
  private static final int MOST_KEYS = SLOTS / 4;

  /** Odd, without structure: the fraction of the golden ratio. */
  private static final int MULTIPLIER = 0x9E37_79B9;

  /** A table in which two frequent keys want the same slot takes twice as long to fill. */
  private static final int MOST_TRIALS = 32;

  private final int multiplier;
  private final long[] keys = new long[SLOTS];
  private final int[] lowKeys = new int[SLOTS];
  private final long[] counts = new long[SLOTS];
  private int different;
  private boolean areFew = true;

  /**
   * Counts of no key yet.
   *
   * @param some of the keys, at least one, of which those that are frequent are likely to be there;
   *     the first stands in every slot that is free, where nobody looks for it but in its own
   */
  KeyCounts(long[] some) {
    this.multiplier = multiplier(some);
    Arrays.fill(keys, some[0]);
    Arrays.fill(lowKeys, (int) some[0]);
  }

  /** The one of several multipliers that sends the fewest keys to where another is. */
  private static int multiplier(long[] some) {
    long[] different = Arrays.stream(some).distinct().toArray();
    int best = MULTIPLIER;
    long most = 0;
    for (int trial = 0; trial < MOST_TRIALS && most < different.length; trial++) {
      int multiplier = MULTIPLIER * (2 * trial + 1);
      long slots =
          Arrays.stream(different).mapToInt(key -> slot(key, multiplier)).distinct().count();
      if (slots > most) {
        most = slots;
        best = multiplier;
      }
    }
    return best;
  }

  /** What {@link #slot(int, int)} multiplies by. */
  int multiplier() {
    return multiplier;
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
  static int slot(long key, int multiplier) {
    return slot((int) (key ^ key >>> Integer.SIZE), multiplier);
  }

  /** The same of a key of 32 bits. */
  static int slot(int key, int multiplier) {
    return key * multiplier >>> (Integer.SIZE - SLOT_BITS);
  }

  /** The slot of a key that is not in its first; it gets one if it has none. */
  int otherSlot(long key) {
    int slot = slot(key, multiplier);
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
