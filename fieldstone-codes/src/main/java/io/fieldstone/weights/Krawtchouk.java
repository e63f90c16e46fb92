package io.fieldstone.weights;

import java.math.BigInteger;

/**
 * Krawtchouk polynomials of one length: K_j(i) is the coefficient of z^j in (1 − z)^i (1 +
 * z)^(n−i), the sum of (−1)^(e·u) over the words e of weight j, for any word u of weight i
 * (MacWilliams and Sloane, "The Theory of Error-Correcting Codes", ch. 5 §2).
 */
final class Krawtchouk {

  private final BigInteger[][] values;

  /**
   * Computes all values for a length.
   *
   * @param length the length, ≥ 0
   */
  Krawtchouk(int length) {
    values = new BigInteger[length + 1][];
    values[0] = binomials(length);
    for (int i = 1; i <= length; i++) {
      values[i] = next(values[i - 1]);
    }
  }

  private static BigInteger[] binomials(int length) {
    BigInteger[] row = new BigInteger[length + 1];
    row[0] = BigInteger.ONE;
    for (int j = 1; j <= length; j++) {
      row[j] =
          row[j - 1].multiply(BigInteger.valueOf(length - j + 1)).divide(BigInteger.valueOf(j));
    }
    return row;
  }

  /** Multiplies by (1 − z)/(1 + z): K_j(i) = K_j(i−1) − K_{j−1}(i−1) − K_{j−1}(i). */
  private static BigInteger[] next(BigInteger[] previous) {
    BigInteger[] row = new BigInteger[previous.length];
    row[0] = BigInteger.ONE;
    for (int j = 1; j < row.length; j++) {
      row[j] = previous[j].subtract(previous[j - 1]).subtract(row[j - 1]);
    }
    return row;
  }

  /** Returns Σ_i counts[i]·K_j(i) for each j. */
  BigInteger[] transform(BigInteger[] counts) {
    BigInteger[] sums = new BigInteger[values.length];
    for (int j = 0; j < sums.length; j++) {
      BigInteger sum = BigInteger.ZERO;
      for (int i = 0; i < sums.length; i++) {
        if (counts[i].signum() != 0) {
          sum = sum.add(counts[i].multiply(values[i][j]));
        }
      }
      sums[j] = sum;
    }
    return sums;
  }
}
