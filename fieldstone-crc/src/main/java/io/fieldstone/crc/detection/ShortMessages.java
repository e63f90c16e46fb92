package io.fieldstone.crc.detection;

import io.fieldstone.field.Gf2Modulus;
import java.util.Arrays;

/** Enumerates the multiples of a polynomial that short messages make. */
final class ShortMessages {

  private ShortMessages() {}

  /** Returns the minimum distances of messages of 1, 2, … bits, in this order. */
  static int[] distances(Gf2Modulus modulus, int maxBits) {
    int[] distances = new int[maxBits];
    int least = Integer.MAX_VALUE;
    for (int bits = 1; bits <= maxBits; bits++) {
      long[] counts = counts(modulus, bits - 1, modulus.xToThe(modulus.degree() + bits - 1L));
      for (int weight = 0; weight < counts.length; weight++) {
        if (counts[weight] != 0) {
          least = Math.min(least, weight + 1);
          break;
        }
      }
      distances[bits - 1] = least;
    }
    return distances;
  }

  /** Returns the numbers of nonzero multiples by weight. */
  static long[] weights(Gf2Modulus modulus, int bits) {
    long[] counts = counts(modulus, bits, 0);
    counts[0]--;
    return counts;
  }

  /** Counts the messages of some bits, and their remainders plus an offset, by weight. */
  private static long[] counts(Gf2Modulus modulus, int bits, long offset) {
    long[] rows = new long[bits];
    Arrays.setAll(rows, bit -> modulus.xToThe((long) modulus.degree() + bit));
    long[] counts = new long[bits + modulus.degree() + 1];
    long remainder = offset;
    long message = 0;
    counts[Long.bitCount(remainder)]++;
    for (long next = 1; next < 1L << bits; next++) {
      int bit = Long.numberOfTrailingZeros(next); // Gray code
      message ^= 1L << bit;
      remainder ^= rows[bit];
      counts[Long.bitCount(message) + Long.bitCount(remainder)]++;
    }
    return counts;
  }
}
