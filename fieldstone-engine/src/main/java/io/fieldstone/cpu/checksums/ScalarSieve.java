package io.fieldstone.cpu.checksums;

import io.fieldstone.engine.checksums.ChecksumPreconditions;
import io.fieldstone.engine.checksums.PolynomialSieve;
import io.fieldstone.field.Gf2Modulus;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Excludes exactly the polynomials with an undetected error of up to four bits, by the sums of all
 * pairs of powers; the oracle. Thread-safe.
 */
public final class ScalarSieve implements PolynomialSieve {

  @Override
  public long[] sift(int width, int bits, long from, long to) {
    ChecksumPreconditions.requireSieve(width, bits, from, to);
    return LongStream.range(from, to)
        .filter(number -> PolynomialSieve.isSmaller(width, number))
        .filter(number -> detectsFour(Gf2Modulus.of(width, 2 * number + 1), bits))
        .toArray();
  }

  /** Tests whether powers, and sums of two, are all different, and none is a sum of two. */
  private static boolean detectsFour(Gf2Modulus modulus, int bits) {
    long[] powers = new long[bits];
    powers[0] = 1;
    Set<Long> seen = new HashSet<>(Set.of(0L, 1L));
    for (int i = 1; i < bits; i++) {
      powers[i] = modulus.timesX(powers[i - 1]);
      if (!seen.add(powers[i])) {
        return false; // two bits, since x has an inverse
      }
    }
    for (int i = 1; i < bits; i++) {
      for (int j = 0; j < i; j++) {
        if (!seen.add(powers[i] ^ powers[j])) {
          return false;
        }
      }
    }
    return true;
  }
}
