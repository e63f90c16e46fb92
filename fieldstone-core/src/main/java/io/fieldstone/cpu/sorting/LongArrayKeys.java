package io.fieldstone.cpu.sorting;

import java.util.Arrays;

/** {@link ArrayKeys} of 64 bits. */
final class LongArrayKeys extends ArrayKeys {

  /** About so many different ones of 16 keys or a little more; more keys are moved sooner. */
  private static final JdkLimits LIMITS = new JdkLimits(1 << 8, 20, 1 << 14, 0);

  private final long[] keys;

  /** What makes signed numbers of keys. */
  private final long flip;

  LongArrayKeys(long[] keys, int first, int count, boolean areSigned) {
    super(LIMITS, first, count, areSigned);
    this.keys = keys;
    this.flip = areSigned ? 0 : Long.MIN_VALUE;
  }

  @Override
  long key(int at) {
    return keys[at] ^ flip;
  }

  @Override
  boolean sortByJdk(int from, int to) {
    flip(from, to);
    Arrays.sort(keys, from, to);
    flip(from, to);
    return true;
  }

  private void flip(int from, int to) {
    long flipped = flip;
    if (flipped != 0) {
      for (int i = from; i < to; i++) {
        keys[i] ^= flipped;
      }
    }
  }

  @Override
  int orderEnd(int from, int to, boolean rising) {
    return flip == 0 ? signedOrderEnd(from, to, rising) : unsignedOrderEnd(from, to, rising);
  }

  private int signedOrderEnd(int from, int to, boolean rising) {
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

  private int unsignedOrderEnd(int from, int to, boolean rising) {
    long[] a = keys;
    int at = from;
    if (rising) {
      while (at < to && Long.compareUnsigned(a[at], a[at + 1]) <= 0) {
        at++;
      }
    } else {
      while (at < to && Long.compareUnsigned(a[at], a[at + 1]) >= 0) {
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
