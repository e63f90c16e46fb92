package io.fieldstone.cpu.sorting;

import java.util.Arrays;
import java.util.SortedMap;

/** Sorted keys as runs of equal ones. */
final class KeyRuns {

  private final long[] keys;

  /** For each run, the number of keys before it. */
  private final long[] starts;

  /**
   * Makes runs.
   *
   * @param keys the key of each run, in order
   * @param counts the length of each run, not 0
   */
  private KeyRuns(long[] keys, long[] counts) {
    this.keys = keys;
    this.starts = new long[counts.length];
    for (int i = 1; i < counts.length; i++) {
      starts[i] = starts[i - 1] + counts[i - 1];
    }
  }

  /** Makes runs from the count of each key, in order. */
  static KeyRuns of(SortedMap<Long, Long> counts) {
    return new KeyRuns(
        counts.keySet().stream().mapToLong(Long::longValue).toArray(),
        counts.values().stream().mapToLong(Long::longValue).toArray());
  }

  /**
   * Makes runs of keys that differ in their low bits only, from the count of each value of these
   * bits.
   */
  static KeyRuns ofDigits(long[] counts, long highBits) {
    long[] keys = new long[counts.length];
    long[] present = new long[counts.length];
    int runs = 0;
    for (int digit = 0; digit < counts.length; digit++) {
      if (counts[digit] != 0) {
        keys[runs] = highBits | digit;
        present[runs++] = counts[digit];
      }
    }
    return new KeyRuns(Arrays.copyOf(keys, runs), Arrays.copyOf(present, runs));
  }

  /**
   * Writes some of the keys.
   *
   * @param first number of keys before them
   */
  void write(ItemOps items, long address, long first, int count) {
    int found = Arrays.binarySearch(starts, first);
    int run = found < 0 ? -found - 2 : found;
    for (long at = first, end = first + count; at < end; run++) {
      long behind = run + 1 < starts.length ? Math.min(end, starts[run + 1]) : end;
      items.fill(address + items.bytes(at - first), (int) (behind - at), keys[run]);
      at = behind;
    }
  }
}
