package io.fieldstone.engine.checksums;

/**
 * The port that sieves generator polynomials: it excludes nearly all that have an undetected error
 * of up to {@value #MAX_WEIGHT} bits. Thread-safe.
 *
 * <p>An error of k bits is undetected if the sum of k powers of x, one for each bit, is 0 modulo
 * the polynomial. Such a sum is found soon for most polynomials, and proves that they have it. So a
 * sieve is fast because it need not be complete.
 */
public interface PolynomialSieve {

  /** The number of bits of the largest errors that exclude a polynomial. */
  int MAX_WEIGHT = 4;

  /** The minimum degree of the polynomials. */
  int MIN_WIDTH = 3;

  /** The maximum degree of the polynomials. */
  int MAX_WIDTH = 40;

  /** The maximum length of a message and its checksum in bits. */
  int MAX_BITS = 1 << 25;

  /**
   * Returns the polynomials of a range that are not excluded. The number m stands for x^width + m ·
   * x + 1, where bit i of m is the coefficient of x^i. Of each polynomial and its reciprocal only
   * the smaller number is sieved; the others are excluded.
   *
   * @param width the degree, {@value #MIN_WIDTH} … {@value #MAX_WIDTH}
   * @param bits the length of a message and its checksum, more than the width, at most {@value
   *     #MAX_BITS}
   * @param from the first number, ≥ 0
   * @param to the end of the numbers, at most 2^(width − 1)
   * @return in ascending order, all numbers without an undetected error of 1 to {@value
   *     #MAX_WEIGHT} bits, and possibly some with one
   * @throws IllegalArgumentException if an argument is out of range
   */
  long[] sift(int width, int bits, long from, long to);

  /** Returns how many numbers a call needs so that it uses all of the engine. */
  default long batch() {
    return 1 << 14;
  }

  /** Tests whether a number is not greater than that of the reciprocal polynomial. */
  static boolean isSmaller(int width, long number) {
    return number <= Long.reverse(number) >>> Long.SIZE - (width - 1);
  }
}
