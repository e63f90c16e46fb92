package io.fieldstone.crc.design;

import io.fieldstone.crc.CrcValue;
import io.fieldstone.crc.detection.UndetectedErrors;
import io.fieldstone.field.Gf2Modulus;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * Counts the undetected errors of as many bits as a polynomial's Hamming distance, exactly: by
 * sorting the sums of half of the bits, or by the weights of the dual code and MacWilliams'
 * identity, whichever takes fewer steps.
 */
final class LeastErrors {

  /** The maximum number of sums in memory. */
  private static final double MAX_SUMS = 1 << 24;

  /** The maximum width of registers that are all visited. */
  private static final int MAX_DUAL_WIDTH = 28;

  /** The maximum number of steps for all polynomials, some tens of seconds. */
  private static final double MAX_STEPS = 1L << 33;

  private final int width;
  private final int length;

  private LeastErrors(int width, int length) {
    this.width = width;
    this.length = length;
  }

  static LeastErrors of(SearchGoal goal) {
    return new LeastErrors(goal.width(), goal.codeBits());
  }

  /** Tests whether the errors of some polynomials can be counted in tens of seconds. */
  boolean isShort(int polynomials, int distance) {
    double sums = sums(distance);
    double steps = sums <= MAX_SUMS ? 32 * sums : Double.POSITIVE_INFINITY;
    if (width <= MAX_DUAL_WIDTH) {
      steps = Math.min(steps, dualSteps());
    }
    return steps * polynomials <= MAX_STEPS;
  }

  private double dualSteps() {
    return (1L << width) * 2.0;
  }

  private double sums(int distance) {
    return binomial(length, (distance + 1) / 2).doubleValue();
  }

  /**
   * Counts the errors of a polynomial.
   *
   * @param terms its terms below the leading one
   * @param distance its Hamming distance
   */
  BigInteger count(long terms, int distance) {
    double sums = sums(distance);
    return sums <= MAX_SUMS && (32 * sums <= dualSteps() || width > MAX_DUAL_WIDTH)
        ? bySums(terms, distance)
        : UndetectedErrors.of(CrcValue.of(width, terms), length - width).count(distance);
  }

  /**
   * Counts the pairs of equal sums. Each error is found once for each division of its bits into
   * halves; sums with a common bit differ, because a shorter error would be undetected, too.
   */
  BigInteger bySums(long terms, int distance) {
    int half = distance / 2;
    long[] powers = powers(terms);
    long[] sums = sorted(powers, half);
    BigInteger halves = binomial(distance, half);
    if (distance % 2 == 0) {
      long pairs = 0;
      for (int from = 0, to; from < sums.length; from = to) {
        to = from + 1;
        while (to < sums.length && sums[to] == sums[from]) {
          to++;
        }
        long equal = (long) to - from;
        pairs += equal * (equal - 1) / 2;
      }
      return BigInteger.valueOf(pairs).shiftLeft(1).divide(halves);
    }
    long[] larger = sorted(powers, half + 1);
    long pairs = 0;
    int at = 0;
    for (long sum : sums) { // all different: the sums of fewer bits than half the distance
      while (at < larger.length && larger[at] < sum) {
        at++;
      }
      for (int same = at; same < larger.length && larger[same] == sum; same++) {
        pairs++;
      }
    }
    return BigInteger.valueOf(pairs).divide(halves);
  }

  private long[] powers(long terms) {
    Gf2Modulus modulus = Gf2Modulus.of(width, terms);
    long[] powers = new long[length];
    powers[0] = 1;
    for (int i = 1; i < length; i++) {
      powers[i] = modulus.timesX(powers[i - 1]);
    }
    return powers;
  }

  private long[] sorted(long[] powers, int count) {
    long[] sums = new long[binomial(length, count).intValueExact()];
    int filled = fill(sums, 0, powers, count, length, 0);
    if (filled != sums.length) {
      throw new AssertionError(filled + " sums of " + sums.length);
    }
    Arrays.sort(sums);
    return sums;
  }

  private static int fill(long[] sums, int at, long[] powers, int count, int below, long partial) {
    if (count == 0) {
      sums[at] = partial;
      return at + 1;
    }
    int next = at;
    for (int i = count - 1; i < below; i++) {
      next = fill(sums, next, powers, count - 1, i, partial ^ powers[i]);
    }
    return next;
  }

  private static BigInteger binomial(int n, int k) {
    BigInteger result = BigInteger.ONE;
    for (int i = 0; i < k; i++) {
      result = result.multiply(BigInteger.valueOf(n - i)).divide(BigInteger.valueOf(i + 1));
    }
    return k > n ? BigInteger.ZERO : result;
  }
}
