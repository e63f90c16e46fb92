package io.fieldstone.crc.design;

import io.fieldstone.crc.CrcNotation;
import io.fieldstone.crc.CrcValue;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.Optional;

/**
 * A polynomial that reaches the goal of a search. Its reciprocal detects the same errors.
 *
 * @param poly in normal notation; not greater than its reciprocal
 * @param distance its Hamming distance at the length
 * @param undetected the number of undetected errors with as many bits as the distance, among a
 *     message and its checksum; empty if they were not counted
 */
public record FoundPolynomial(CrcValue poly, int distance, Optional<BigInteger> undetected) {

  /**
   * The best first: by distance, then fewest undetected errors, then fewest terms, then the number
   * in normal notation.
   */
  static final Comparator<FoundPolynomial> BEST_FIRST =
      Comparator.comparingInt(FoundPolynomial::distance)
          .reversed()
          .thenComparing(found -> found.undetected().orElse(BigInteger.ZERO))
          .thenComparingInt(FoundPolynomial::terms)
          .thenComparingLong(found -> found.poly().low());

  /** Returns the reciprocal in normal notation. */
  public CrcValue reciprocal() {
    return CrcNotation.RECIPROCAL.of(poly);
  }

  /** Tests whether the polynomial is its own reciprocal. */
  public boolean isSelfReciprocal() {
    return poly.equals(reciprocal());
  }

  /** Returns the number of its terms, with the leading one. */
  public int terms() {
    return 1 + Long.bitCount(poly.low());
  }
}
