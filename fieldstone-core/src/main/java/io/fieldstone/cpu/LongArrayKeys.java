package io.fieldstone.cpu;

import java.util.Arrays;

/** {@link ArrayKeys} of 64 bits. */
final class LongArrayKeys extends ArrayKeys {

  private static final int FEW = 256;

  private final long[] keys;

  LongArrayKeys(long[] keys, int first, int count) {
    super(first, count);
    this.keys = keys;
  }

  @Override
  int fewForJdk() {
    return FEW;
  }

  @Override
  long key(int at) {
    return keys[at];
  }

  @Override
  void sortByJdk(int from, int to) {
    Arrays.sort(keys, from, to);
  }

  @Override
  int orderEnd(int from, int to, boolean rising) {
    long[] a = keys;
    int at = from;
    if (rising) {
      while (at < to && a[at] <= a[at + 1]) {
        at++;
      }
    } else {
      while (at < to && a[at] >= a[at + 1]) {
        at++;
      }
    }
    return at;
  }

  @Override
  void exchange(int lower, int upper, int number) {
    long[] a = keys;
    for (int i = 0; i < number; i++) {
      long key = a[lower + i];
      a[lower + i] = a[upper - i];
      a[upper - i] = key;
    }
  }
}
