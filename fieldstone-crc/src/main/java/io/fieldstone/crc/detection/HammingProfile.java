package io.fieldstone.crc.detection;

import io.fieldstone.crc.CrcValue;
import io.fieldstone.field.Gf2Modulus;
import io.fieldstone.field.Gf2Polynomial;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * The Hamming distances of a CRC by the length of the message: the longest messages in which all
 * errors of fewer bits are detected.
 *
 * {@snippet :
 * HammingProfile profile = HammingProfile.of(CrcValue.parse(32, "04c11db7"), 12, 1L << 32);
 * long hd4 = profile.maxBits(4); // 91607
 * }
 *
 * <p>A missed error of w bits is a sum of w powers of x that is 0 modulo the polynomial. Its sums
 * of half the terms meet in a table (Koopman and Chakravarty, "Cyclic redundancy code polynomial
 * selection for embedded networks", 2004, list such profiles). Short messages are enumerated. The
 * limit of two bits is the order of the polynomial.
 *
 * @param width the width of the CRC
 * @param distances from distance 3 on, in steps of 1
 */
public record HammingProfile(int width, List<Distance> distances) {

  /** The maximum width. */
  public static final int MAX_WIDTH = Long.SIZE;

  /** Messages of up to so many bits are enumerated. */
  private static final int ENUMERATED_BITS = 22;

  /**
   * The messages that have a Hamming distance.
   *
   * @param distance the Hamming distance; all errors of fewer bits are detected
   * @param maxBits the length of the longest messages that have it, or more; 0 if none has it
   * @param isExact true if longer messages do not have it; false if they were not searched
   */
  public record Distance(int distance, long maxBits, boolean isExact) {}

  public HammingProfile {
    distances = List.copyOf(distances);
  }

  /**
   * Computes the distances of a CRC.
   *
   * @param poly the polynomial in normal notation, with a constant term
   * @param maxDistance the largest distance of interest, 3 or more
   * @param maxWork the maximum number of sums that are compared for a number of bits; distances
   *     that need more are those of the messages that were compared, and not exact
   * @throws IllegalArgumentException if the polynomial is wider than {@value #MAX_WIDTH} bits or
   *     even, or the distance is less than 3
   */
  public static HammingProfile of(CrcValue poly, int maxDistance, long maxWork) {
    return of(poly, maxDistance, maxWork, _ -> {});
  }

  /**
   * Computes the distances of a CRC.
   *
   * @param progress receives each distance before it is computed
   * @see #of(CrcValue, int, long)
   */
  public static HammingProfile of(
      CrcValue poly, int maxDistance, long maxWork, IntConsumer progress) {
    if (poly.width() > MAX_WIDTH) {
      throw new IllegalArgumentException(
          "width %d exceeds %d, the limit of Hamming distances".formatted(poly.width(), MAX_WIDTH));
    }
    if (!poly.bit(0)) {
      throw new IllegalArgumentException("polynomial 0x%s has no constant term".formatted(poly));
    }
    if (maxDistance < 3) {
      throw new IllegalArgumentException("distance " + maxDistance + " is less than 3");
    }
    return new Search(poly, maxDistance, maxWork).profile(progress);
  }

  /**
   * Returns the length of the longest messages with a distance of 3 or more; 0 if it is unknown.
   */
  public long maxBits(int distance) {
    return distances.stream()
        .filter(each -> each.distance() == distance)
        .mapToLong(Distance::maxBits)
        .findFirst()
        .orElse(0);
  }

  private static final class Search {

    private final int width;
    private final Gf2Modulus modulus;
    private final boolean hasParity;
    private final int maxDistance;
    private final long maxWork;
    private final long order;
    private final boolean isOrderExact;
    private final int[] enumerated;

    Search(CrcValue poly, int maxDistance, long maxWork) {
      this.width = poly.width();
      this.modulus = Gf2Modulus.of(width, poly.toLong());
      Gf2Polynomial polynomial = Gf2Polynomial.of(poly.low()).add(Gf2Polynomial.xToThe(width));
      this.hasParity = polynomial.terms() % 2 == 0;
      this.maxDistance = maxDistance;
      this.maxWork = maxWork;
      BigInteger exactOrder = polynomial.order();
      this.order = exactOrder.min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
      this.isOrderExact = exactOrder.bitLength() < Long.SIZE;
      this.enumerated = ShortMessages.distances(modulus, ENUMERATED_BITS);
    }

    HammingProfile profile(IntConsumer progress) {
      List<Distance> distances = new ArrayList<>();
      // No error of fewer bits than the distance has a degree below this one.
      long degree = order;
      boolean isExact = isOrderExact;
      for (int distance = 3; distance <= maxDistance; distance++) {
        progress.accept(distance);
        int terms = distance - 1;
        if (terms > 2 && !(hasParity && terms % 2 != 0) && degree - width > ENUMERATED_BITS) {
          Collisions.Result result = Collisions.leastDegree(modulus, terms, degree, maxWork);
          isExact = result.degree() < degree ? result.isFound() : isExact;
          degree = result.degree();
        }
        long bits = degree - width;
        distances.add(
            bits > ENUMERATED_BITS
                ? new Distance(distance, bits, isExact)
                : enumerated(distance, bits, isExact));
        if (distances.getLast().maxBits() <= 0) {
          distances.removeLast();
          break;
        }
      }
      return new HammingProfile(width, distances);
    }

    /** Returns the enumerated messages; longer ones were searched up to a limit. */
    private Distance enumerated(int distance, long searched, boolean isExact) {
      int bits = 0;
      while (bits < enumerated.length && enumerated[bits] >= distance) {
        bits++;
      }
      return new Distance(
          distance,
          Math.min(bits, Math.max(0, order - width)),
          bits < enumerated.length || isExact && searched == bits);
    }
  }
}
