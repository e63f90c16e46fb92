package io.fieldstone.crc.detection;

import io.fieldstone.crc.CrcValue;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.weights.WalshCounts;
import io.fieldstone.field.Gf2Modulus;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The errors that a CRC misses in messages of one length: their exact numbers by weight, and the
 * probability that one happens.
 *
 * {@snippet :
 * UndetectedErrors errors = UndetectedErrors.of(CrcValue.parse(16, "1021"), 48);
 * BigInteger four = errors.count(4); // 84
 * double probability = errors.probability(1e-3);
 * }
 *
 * <p>The numbers follow from the weights of the dual code by the identities of MacWilliams.
 * Messages of up to {@value #MAX_ENUMERATED_BITS} bits are enumerated if the CRC is wider than
 * {@value #MAX_WIDTH} bits. Immutable and thread-safe.
 */
public final class UndetectedErrors {

  /** The maximum width of a CRC at any length. */
  public static final int MAX_WIDTH = DualWeights.MAX_DEGREE;

  /** The maximum length of messages in bits, if the CRC is wider. */
  public static final int MAX_ENUMERATED_BITS = 26;

  /** The maximum length of messages in bits. */
  public static final int MAX_BITS = 1 << 20;

  /** The significant digits of sums beyond those that cancel. */
  private static final int DIGITS = 30;

  private final int length;
  private final int width;

  /** The weights of the dual code, or of the code if {@link #isDual} is false. */
  private final long[] weights;

  private final boolean isDual;

  private UndetectedErrors(int length, int width, long[] weights, boolean isDual) {
    this.length = length;
    this.width = width;
    this.weights = weights;
    this.isDual = isDual;
  }

  /** Returns true if the numbers of errors can be computed. */
  public static boolean supports(int width, long bits) {
    return bits >= 1
        && bits <= MAX_BITS
        && (width <= MAX_WIDTH || width <= Long.SIZE && bits <= MAX_ENUMERATED_BITS);
  }

  /**
   * Counts the errors that a CRC misses. Takes about 2<sup>width</sup> steps on all cores.
   *
   * @param poly the polynomial in normal notation, with a constant term
   * @param bits the length of the message, without the checksum
   * @throws IllegalArgumentException if the numbers {@linkplain #supports cannot} be computed, or
   *     the polynomial is even
   */
  public static UndetectedErrors of(CrcValue poly, int bits) {
    try (Engine cores = Engine.open("cpu")) {
      return of(poly, bits, cores);
    }
  }

  /**
   * As {@link #of(CrcValue, int)}, on an engine, which the caller closes: on a GPU by {@link
   * WalshCounts}.
   */
  public static UndetectedErrors of(CrcValue poly, int bits, Engine engine) {
    engine.requireOpen();
    if (!supports(poly.width(), bits)) {
      throw new IllegalArgumentException(
          "%d bits with a CRC of %d: exact weights need 1 to %d bits and a width of at most %d"
              .formatted(bits, poly.width(), MAX_BITS, MAX_WIDTH));
    }
    if (!poly.bit(0)) {
      throw new IllegalArgumentException("polynomial 0x%s has no constant term".formatted(poly));
    }
    Gf2Modulus modulus = Gf2Modulus.of(poly.width(), poly.toLong());
    int length = bits + poly.width();
    return poly.width() > MAX_WIDTH
        ? new UndetectedErrors(length, poly.width(), ShortMessages.weights(modulus, bits), false)
        : new UndetectedErrors(
            length, poly.width(), DualWeights.counts(modulus, length, engine), true);
  }

  /** Returns the length of the code in bits: message and checksum. */
  public int length() {
    return length;
  }

  /**
   * Returns the number of errors of some wrong bits that are not detected, A_k.
   *
   * @param wrongBits 1 … length
   */
  public BigInteger count(int wrongBits) {
    return counts(wrongBits).get(wrongBits);
  }

  /**
   * Returns the numbers of undetected errors of 0, 1, … wrong bits; the first one is 0.
   *
   * @param maxWrongBits the largest number of wrong bits, 0 … length
   */
  public List<BigInteger> counts(int maxWrongBits) {
    List<BigInteger> counts = new ArrayList<>();
    if (!isDual) {
      for (int k = 0; k <= maxWrongBits; k++) {
        counts.add(BigInteger.valueOf(weights[k]));
      }
      return counts;
    }
    BigInteger[] sums = new BigInteger[maxWrongBits + 1];
    Arrays.fill(sums, BigInteger.ZERO);
    for (int weight = 0; weight <= length; weight++) {
      if (weights[weight] != 0) {
        addKrawtchouk(weight, BigInteger.valueOf(weights[weight]), sums);
      }
    }
    for (int k = 0; k <= maxWrongBits; k++) {
      counts.add(sums[k].shiftRight(width));
    }
    counts.set(0, BigInteger.ZERO); // the error of no bits
    return counts;
  }

  /** Adds multiples of K_0(weight), K_1(weight), …, by their recurrence. */
  private void addKrawtchouk(int weight, BigInteger factor, BigInteger[] sums) {
    BigInteger previous = BigInteger.ZERO;
    BigInteger current = factor;
    for (int k = 0; k < sums.length; k++) {
      sums[k] = sums[k].add(current);
      // (k + 1) K_(k+1) = (n − 2w) K_k − (n − k + 1) K_(k−1)
      BigInteger next =
          current
              .multiply(BigInteger.valueOf(length - 2L * weight))
              .subtract(previous.multiply(BigInteger.valueOf(length - k + 1L)))
              .divide(BigInteger.valueOf(k + 1L));
      previous = current;
      current = next;
    }
  }

  /** Returns the least number of wrong bits that can be missed: the Hamming distance. */
  public int distance() {
    for (int last = 8; ; last = Math.min(length, 2 * last)) {
      List<BigInteger> counts = counts(Math.min(last, length));
      for (int k = 1; k < counts.size(); k++) {
        if (counts.get(k).signum() != 0) {
          return k;
        }
      }
    }
  }

  /**
   * Returns the probability that a message has an error that is not detected.
   *
   * @param bitError the probability of a wrong bit, independent of others, 0 … 0.5
   * @throws IllegalArgumentException if the probability is not in 0 … 0.5
   */
  public double probability(double bitError) {
    if (!(bitError >= 0 && bitError <= 0.5)) {
      throw new IllegalArgumentException("probability " + bitError + " is not in 0…0.5");
    }
    if (bitError == 0) {
      return 0;
    }
    // Sums of numbers near 1 leave about bitError^distance.
    int cancelled = (int) Math.ceil(-Math.log10(bitError) * (isDual ? distance() : 0));
    MathContext digits = new MathContext(DIGITS + cancelled);
    BigDecimal wrong = new BigDecimal(bitError);
    BigDecimal right = BigDecimal.ONE.subtract(wrong);
    if (!isDual) {
      return polynomial(wrong.divide(right, digits), digits)
          .multiply(right.pow(length, digits))
          .doubleValue();
    }
    BigDecimal all = polynomial(right.subtract(wrong), digits);
    return all.divide(new BigDecimal(BigInteger.ONE.shiftLeft(width)), digits)
        .subtract(right.pow(length, digits), digits)
        .doubleValue();
  }

  /** Returns Σ weights[k] x^k, by Horner's rule. */
  private BigDecimal polynomial(BigDecimal x, MathContext digits) {
    BigDecimal sum = BigDecimal.ZERO;
    for (int k = weights.length - 1; k >= 0; k--) {
      sum = sum.multiply(x, digits).add(BigDecimal.valueOf(weights[k]), digits);
    }
    return sum;
  }
}
