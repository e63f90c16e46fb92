package io.fieldstone.weights.codes;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * The narrow-sense primitive BCH codes of one length n = 2^m − 1: zeros α, α², …, α^(d−1) and their
 * conjugates, for the designed distance d (Lin and Costello, "Error Control Coding", ch. 6).
 */
final class BchCodes {

  /** Primitive polynomials by degree, including x^7 + x^3 + 1. */
  private static final Map<Integer, Integer> PRIMITIVE =
      Map.of(2, 0x7, 3, 0xB, 4, 0x13, 5, 0x25, 6, 0x43, 7, 0x89, 8, 0x11D);

  private final int length;
  private final int[] powers;
  private final int[] logarithms;

  private BchCodes(int degree, int polynomial) {
    length = (1 << degree) - 1;
    powers = new int[length];
    logarithms = new int[length + 1];
    int power = 1;
    for (int exponent = 0; exponent < length; exponent++) {
      powers[exponent] = power;
      logarithms[power] = exponent;
      power <<= 1;
      if (power > length) {
        power ^= polynomial;
      }
    }
  }

  /**
   * Returns the codes of a length.
   *
   * @throws IllegalArgumentException unless it is 2^m − 1, 2 ≤ m ≤ 8
   */
  static BchCodes of(int length) {
    int degree = Integer.SIZE - Integer.numberOfLeadingZeros(length);
    Integer polynomial = PRIMITIVE.get(degree);
    if (polynomial == null || length != (1 << degree) - 1) {
      throw new IllegalArgumentException(
          "no BCH code has length %d; the lengths are 3, 7, 15, 31, 63, 127, 255"
              .formatted(length));
    }
    return new BchCodes(degree, polynomial);
  }

  /** Returns the exponents of the zeros for a designed distance. */
  private BitSet zeros(int distance) {
    BitSet zeros = new BitSet();
    for (int exponent = 1; exponent < distance; exponent++) {
      for (int conjugate = exponent; !zeros.get(conjugate); conjugate = 2 * conjugate % length) {
        zeros.set(conjugate);
      }
    }
    return zeros;
  }

  /** Returns all k ≥ 1, descending. */
  List<Integer> dimensions() {
    List<Integer> dimensions = new ArrayList<>();
    for (int distance = 2; distance <= length; distance++) {
      int dimension = length - zeros(distance).cardinality();
      if (dimensions.isEmpty() || dimensions.getLast() != dimension) {
        dimensions.add(dimension);
      }
    }
    return dimensions;
  }

  BinaryCode withDimension(int dimension) {
    for (int distance = 2; distance <= length; distance++) {
      BitSet zeros = zeros(distance);
      if (length - zeros.cardinality() == dimension) {
        return CodeFamily.cyclic(length, generator(zeros));
      }
    }
    throw new IllegalArgumentException(
        "no BCH code of length %d has k = %d; the dimensions are k = %s"
            .formatted(length, dimension, CodeFamily.list(dimensions())));
  }

  BinaryCode withDistance(int distance) {
    CodeFamily.requireRange("designed distance", distance, 2, length);
    return CodeFamily.cyclic(length, generator(zeros(distance)));
  }

  /** Returns the product of x − α^e over the zeros; its coefficients are 0 or 1. */
  private BigInteger generator(BitSet zeros) {
    int[] product = new int[zeros.cardinality() + 1];
    product[0] = 1;
    int degree = 0;
    for (int zero : zeros.stream().toArray()) {
      for (int i = degree; i >= 0; i--) {
        product[i + 1] ^= product[i];
        product[i] = times(product[i], zero);
      }
      degree++;
    }
    BigInteger generator = BigInteger.ZERO;
    for (int i = 0; i <= degree; i++) {
      if (product[i] != 0) {
        generator = generator.setBit(i);
      }
    }
    return generator;
  }

  private int times(int element, int exponent) {
    return element == 0 ? 0 : powers[(logarithms[element] + exponent) % length];
  }
}
