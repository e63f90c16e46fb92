package io.fieldstone.weights;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The primitive idempotents of GF(2)[x]/(x^N − 1) for odd N: polynomials e with e² = e, one for
 * each irreducible factor of x^N − 1, which sum to 1 and whose products are 0. A space with a
 * permutation of order N is the direct sum of their images (MacWilliams and Sloane, ch. 8 §3).
 *
 * <p>Every idempotent is a sum of Σ x^i over cyclotomic cosets {i, 2i, 4i, …}; starting from 1,
 * each coset's sum θ splits an idempotent e into eθ and e(1 + θ).
 */
final class PrimitiveIdempotents {

  private PrimitiveIdempotents() {}

  /** Returns the polynomials as bits: bit i is the coefficient of x^i. */
  static List<BigInteger> of(int order) {
    List<BigInteger> idempotents = List.of(BigInteger.ONE);
    for (BigInteger coset : cosetSums(order)) {
      List<BigInteger> split = new ArrayList<>();
      for (BigInteger idempotent : idempotents) {
        BigInteger inside = product(idempotent, coset, order);
        for (BigInteger part : List.of(inside, inside.xor(idempotent))) {
          if (part.signum() != 0) {
            split.add(part);
          }
        }
      }
      idempotents = split;
    }
    return idempotents;
  }

  private static List<BigInteger> cosetSums(int order) {
    List<BigInteger> sums = new ArrayList<>();
    BitSet seen = new BitSet();
    for (int first = 0; first < order; first++) {
      BigInteger sum = BigInteger.ZERO;
      for (int exponent = first; !seen.get(exponent); exponent = 2 * exponent % order) {
        seen.set(exponent);
        sum = sum.setBit(exponent);
      }
      if (sum.signum() != 0) {
        sums.add(sum);
      }
    }
    return sums;
  }

  private static BigInteger product(BigInteger left, BigInteger right, int order) {
    BigInteger product = BigInteger.ZERO;
    for (int exponent = 0; exponent < order; exponent++) {
      if (left.testBit(exponent)) {
        product = product.xor(right.shiftLeft(exponent));
      }
    }
    BigInteger mask = BigInteger.ONE.shiftLeft(order).subtract(BigInteger.ONE);
    return product.and(mask).xor(product.shiftRight(order));
  }
}
