package io.fieldstone.weights.distance;

import java.math.BigInteger;

/** Counts and numbers combinations in lexicographic order. */
final class Combinations {

  /** The maximum number of combinations that are numbered. */
  static final double MAX_COUNT = 0x1p62;

  private Combinations() {}

  /** Returns C(n, k), exact below 2^53. */
  static double count(int n, int k) {
    if (k < 0 || k > n) {
      return 0;
    }
    double count = 1;
    for (int i = 1; i <= Math.min(k, n - k); i++) {
      count = count * (n - Math.min(k, n - k) + i) / i;
    }
    return count;
  }

  /** Returns C(n, k) exactly; it is less than 2^62. */
  static long exact(int n, int k) {
    if (k < 0 || k > n) {
      return 0;
    }
    long count = 1;
    int few = Math.min(k, n - k);
    for (int i = 1; i <= few; i++) {
      int factor = n - few + i;
      long common = BigInteger.valueOf(factor).gcd(BigInteger.valueOf(i)).longValue();
      count = Math.multiplyExact(count / (i / common), factor / common);
    }
    return count;
  }

  /** Returns ln C(n, k). */
  static double logarithm(int n, int k) {
    double logarithm = 0;
    for (int i = 1; i <= Math.min(k, n - k); i++) {
      logarithm += Math.log(n - Math.min(k, n - k) + i) - Math.log(i);
    }
    return logarithm;
  }

  /** Returns the combination of k of 0 … n − 1 with a number, ascending. */
  static int[] unrank(int n, int k, long number) {
    int[] combination = new int[k];
    long rest = number;
    int next = 0;
    for (int i = 0; i < k; i++) {
      for (long with = exact(n - 1 - next, k - 1 - i); rest >= with; ) {
        rest -= with;
        next++;
        with = exact(n - 1 - next, k - 1 - i);
      }
      combination[i] = next++;
    }
    return combination;
  }
}
