package io.fieldstone.cpu.sorting;

import java.util.Arrays;

/** Sorted keys as runs of equal ones. */
final class KeyRuns {

  private final long[] keys;

  /** How many keys come before those of a run. */
  private final long[] starts;

  /**
   * Runs.
   *
   * @param keys of each, in order
   * @param counts of each, none of them 0
   */
  private KeyRuns(long[] keys, long[] counts) {
    this.keys = keys;
    this.starts = new long[counts.length];
    for (int i = 1; i < counts.length; i++) {
      starts[i] = starts[i - 1] + counts[i - 1];
    }
  }

  /** Runs of keys that differ in their low bits only, from counts of each value of these. */
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
   * @param first how many come before them
   */
  void write(ItemOps items, long address, long first, int count) {
    int found = Arrays.binarySearch(starts, first);
    int run = found < 0 ? -found - 2 : found;
    for (long at = first, end = first + count; at < end; run++) {
      long behind = run + 1 < starts.length ? Math.min(end, starts[run + 1]) : end;
      items.fill(address + items.bytes(at - first), behind - at, keys[run]);
      at = behind;
    }
  }
}
