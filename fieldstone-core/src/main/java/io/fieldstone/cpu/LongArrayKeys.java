package io.fieldstone.cpu;

import java.util.Arrays;

/** {@link ArrayKeys} of 64 bits. */
final class LongArrayKeys extends ArrayKeys {

  private static final int FEW = 256;

  /** About so many of 16 keys or a little more. */
  private static final int FEW_DIFFERENT = 20;

  private final long[] keys;

  /** What makes signed numbers of keys. */
  private final long flip;

  LongArrayKeys(long[] keys, int first, int count, boolean areSigned) {
    super(first, count, areSigned);
    this.keys = keys;
    this.flip = areSigned ? 0 : Long.MIN_VALUE;
  }

  @Override
  int fewForJdk() {
    return FEW;
  }

  @Override
  int fewDifferent() {
    return FEW_DIFFERENT;
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
    long f = flip;
    int at = from;
    if (rising) {
      while (at < to && (f == 0 ? a[at] <= a[at + 1] : (a[at] ^ f) <= (a[at + 1] ^ f))) {
        at++;
      }
    } else {
      while (at < to && (f == 0 ? a[at] >= a[at + 1] : (a[at] ^ f) >= (a[at + 1] ^ f))) {
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
