package io.fieldstone.cpu.sorting;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

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

  /**
   * Makes runs of keys that differ in their low bits only, from the count of each value of these
   * bits.
   */
  static KeyRuns ofDigits(long[] counts, long highBits) {
    return of(digit -> highBits | digit, digit -> counts[digit], counts.length);
  }

  /**
   * Makes runs of the keys that occur.
   *
   * @param keys returns keys in order, by their index
   * @param counts returns how often each occurs
   * @param number number of keys
   */
  static KeyRuns of(IntToLongFunction keys, IntToLongFunction counts, int number) {
    long[] present = new long[number];
    long[] lengths = new long[number];
    int runs = 0;
    for (int i = 0; i < number; i++) {
      long count = counts.applyAsLong(i);
      if (count != 0) {
        present[runs] = keys.applyAsLong(i);
        lengths[runs++] = count;
      }
    }
    return new KeyRuns(Arrays.copyOf(present, runs), Arrays.copyOf(lengths, runs));
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
      items.fill(address + items.bytes(at - first), behind - at, keys[run]);
      at = behind;
    }
  }
}
