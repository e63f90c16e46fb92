package io.fieldstone.cpu.sorting;

import java.util.Arrays;

/** {@link ArrayKeys} of 32 bits. */
final class IntArrayKeys extends ArrayKeys {

  /**
   * Keys of 32 bits meet by chance only if they are skewed, which vectors of keys do not mind. Of
   * many keys, those of 16 values and no more.
   */
  private static final JdkLimits LIMITS = new JdkLimits(1 << 13, SAMPLES - 3, 1 << 14, 17);

  private final int[] keys;

  /** What makes signed numbers of keys. */
  private final int flip;

  IntArrayKeys(int[] keys, int first, int count, boolean areSigned) {
    super(LIMITS, first, count, areSigned);
    this.keys = keys;
    this.flip = areSigned ? 0 : Integer.MIN_VALUE;
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
    int flipped = flip;
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
    int[] a = keys;
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
    int[] a = keys;
    int at = from;
    if (rising) {
      while (at < to && Integer.compareUnsigned(a[at], a[at + 1]) <= 0) {
        at++;
      }
    } else {
      while (at < to && Integer.compareUnsigned(a[at], a[at + 1]) >= 0) {
        at++;
      }
    }
    return at;
  }

  @Override
  void exchange(int lower, int upper, int number) {
    int[] a = keys;
    for (int i = 0; i < number; i++) {
      int key = a[lower + i];
      a[lower + i] = a[upper - i];
      a[upper - i] = key;
    }
  }
}
