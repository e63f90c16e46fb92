package io.fieldstone.cpu.sorting;

import java.util.Arrays;

/**
 * How often each of some keys occurs.
 *
 * @param keys different keys in order
 * @param counts the count of each, which may be 0
 */
@SuppressWarnings("ArrayRecordComponent") // Not changed.
record KeyTally(long[] keys, long[] counts) {

  static final KeyTally EMPTY = new KeyTally(new long[0], new long[0]);

  /** Returns the keys of a table. */
  static KeyTally of(KeyTable table) {
    long[] keys = table.keys();
    return new KeyTally(keys, Arrays.stream(keys).map(table::count).toArray());
  }

  /** Returns the sums of these counts and others. */
  KeyTally plus(KeyTally other) {
    long[] all = new long[keys.length + other.keys.length];
    long[] sums = new long[all.length];
    int number = 0;
    for (int i = 0, j = 0; i < keys.length || j < other.keys.length; number++) {
      int order =
          i == keys.length
              ? 1
              : j == other.keys.length ? -1 : Long.compareUnsigned(keys[i], other.keys[j]);
      all[number] = order <= 0 ? keys[i] : other.keys[j];
      sums[number] = (order <= 0 ? counts[i++] : 0) + (order >= 0 ? other.counts[j++] : 0);
    }
    return new KeyTally(Arrays.copyOf(all, number), Arrays.copyOf(sums, number));
  }

  /** Returns the keys as often as they occur. */
  KeyRuns runs() {
    return KeyRuns.of(i -> keys[i], i -> counts[i], keys.length);
  }
}
