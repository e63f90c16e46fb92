package io.fieldstone.cpu.sorting;

import java.util.Arrays;

/**
 * {@link ArrayKeys} of 64 bits that are floating-point numbers, in the order of {@link
 * Double#compare}.
 */
final class DoubleArrayKeys extends ArrayKeys {

  /** As those of integers of 64 bits, but that more are few: ours go by way of ranks. */
  private static final JdkLimits LIMITS = new JdkLimits(1 << 11, 20, 1 << 12, 0);

  private final double[] keys;

  DoubleArrayKeys(double[] keys, int first, int count) {
    super(LIMITS, first, count, true);
    this.keys = keys;
  }

  @Override
  long key(int at) {
    long bits = Double.doubleToLongBits(keys[at]);
    return bits >= 0 ? bits : bits ^ Long.MAX_VALUE;
  }

  /** The JDK does not keep the order of what are no numbers, of which there are many. */
  @Override
  boolean sortByJdk(int from, int to) {
    for (int i = from; i < to; i++) {
      if (Double.isNaN(keys[i])) {
        return false;
      }
    }
    Arrays.sort(keys, from, to);
    return true;
  }

  @Override
  int orderEnd(int from, int to, boolean rising) {
    return rising ? risingEnd(from, to) : fallingEnd(from, to);
  }

  private int risingEnd(int from, int to) {
    double[] a = keys;
    int at = from;
    while (at < to && (a[at] < a[at + 1] || Double.compare(a[at], a[at + 1]) <= 0)) {
      at++;
    }
    return at;
  }

  /** What are no numbers would have to keep their order, and so end it. */
  private int fallingEnd(int from, int to) {
    double[] a = keys;
    int at = from;
    while (at < to && (a[at] > a[at + 1] || isFalling(a[at], a[at + 1]))) {
      at++;
    }
    return at;
  }

  private static boolean isFalling(double key, double next) {
    return !Double.isNaN(key) && Double.compare(key, next) >= 0;
  }

  @Override
  void exchange(int lower, int upper, int number) {
    double[] a = keys;
    for (int i = 0; i < number; i++) {
      double key = a[lower + i];
      a[lower + i] = a[upper - i];
      a[upper - i] = key;
    }
  }
}
