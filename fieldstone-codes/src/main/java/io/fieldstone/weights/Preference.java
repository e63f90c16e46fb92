package io.fieldstone.weights;

import java.math.BigInteger;

/**
 * The probability that a decoder prefers a word to the one that was sent, for one distance w of
 * both after another: that more than w/2 of w bits are wrong, and half of the probability that
 * exactly w/2 are.
 *
 * <p>The probability of m = ⌈w/2⌉ wrong bits follows from that of the distance before, and those of
 * more wrong bits from it by their ratios. Numbers have exponents of their own, so that those of
 * long codes neither vanish nor overflow. For one thread.
 */
final class Preference {

  /** Terms below this part of the sum do not change it. */
  private static final double NEGLIGIBLE = 0x1p-60;

  /** The exponents beyond which a double is 0 or infinite. */
  private static final int MAX_EXPONENT = 1 << 14;

  /** The probability of a wrong bit, or of a right one, if that is less. */
  private final double rare;

  private final boolean isMostlyWrong;
  private int distance;

  /** The probability of m rare bits among w: mantissa · 2^exponent. */
  private double mantissa = 1;

  private long exponent;

  Preference(double bitError) {
    this.isMostlyWrong = bitError > 0.5;
    this.rare = isMostlyWrong ? 1 - bitError : bitError;
  }

  /** Continues with the next distance, from 1. */
  void next() {
    int half = distance / 2;
    mantissa *= distance % 2 == 0 ? (2.0 * half + 1) / (half + 1) * rare : 2 * (1 - rare);
    distance++;
    if (mantissa != 0) {
      int shift = Math.getExponent(mantissa);
      mantissa = Math.scalb(mantissa, -shift);
      exponent += shift;
    }
  }

  /** Returns the expected number of words that are preferred, of a number at this distance. */
  double of(BigInteger words) {
    if (isMostlyWrong) {
      return words.doubleValue() * (1 - scaled(mantissa * tail(), exponent));
    }
    int shift = Math.max(0, words.bitLength() - Long.SIZE);
    return scaled(mantissa * tail() * words.shiftRight(shift).doubleValue(), exponent + shift);
  }

  private static double scaled(double value, long exponent) {
    return Math.scalb(value, Math.clamp(exponent, -MAX_EXPONENT, MAX_EXPONENT));
  }

  /** Returns the probability of m rare bits and more, or of half of it for w/2, by that of m. */
  private double tail() {
    double sum = distance % 2 == 0 ? 0.5 : 1;
    double term = 1;
    double odds = rare / (1 - rare);
    for (int wrong = (distance + 1) / 2; wrong < distance && term > sum * NEGLIGIBLE; wrong++) {
      term *= (double) (distance - wrong) / (wrong + 1) * odds;
      sum += term;
    }
    return sum;
  }
}
