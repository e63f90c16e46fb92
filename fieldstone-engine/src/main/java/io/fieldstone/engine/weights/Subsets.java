package io.fieldstone.engine.weights;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * Counts and numbers the subsets of 0 … n − 1 of a size. Subsets are in colexicographic order,
 * which compares the largest elements first: that of c₁ &lt; … &lt; c_s is number Σ C(cᵢ, i). So
 * the subsets of 0 … m − 1 come before all others.
 */
public final class Subsets {

  /** The bound of the number of subsets that are numbered. */
  public static final double MAX_COUNT = 0x1p62;

  private Subsets() {}

  /** Returns C(n, k), exact below 2^53. */
  public static double count(int n, int k) {
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
  public static long exact(int n, int k) {
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
  public static double logarithm(int n, int k) {
    double logarithm = 0;
    for (int i = 1; i <= Math.min(k, n - k); i++) {
      logarithm += Math.log(n - Math.min(k, n - k) + i) - Math.log(i);
    }
    return logarithm;
  }

  /**
   * Returns C(c, i) at [i][c] for i ≤ k and c ≤ n; those of at least 2^62 are 2^62.
   *
   * @throws IllegalArgumentException if C(n, k) is not less than 2^62
   */
  public static long[][] table(int n, int k) {
    if (count(n, k) >= MAX_COUNT) {
      throw new IllegalArgumentException(
          "%.1e sums of %d of %d rows are too many to enumerate".formatted(count(n, k), k, n));
    }
    long bound = (long) MAX_COUNT;
    long[][] table = new long[k + 1][n + 1];
    Arrays.fill(table[0], 1);
    for (int i = 1; i <= k; i++) {
      for (int c = 1; c <= n; c++) {
        table[i][c] = Math.min(bound, table[i][c - 1] + table[i - 1][c - 1]);
      }
    }
    return table;
  }

  /** Returns the subset of 0 … n − 1 of a size with a number, ascending. */
  public static int[] subset(int n, int size, long number) {
    int[] subset = new int[size];
    long rest = number;
    int next = n - 1;
    for (int i = size; i >= 1; i--) {
      while (exact(next, i) > rest) {
        next--;
      }
      subset[i - 1] = next;
      rest -= exact(next, i);
    }
    return subset;
  }
}
