package io.fieldstone.crc.detection;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.field.Gf2Modulus;
import io.fieldstone.field.Gf2Polynomial;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Counts the words of the dual of a CRC code by weight. A word has the values of a linear
 * functional at 1, x, x^2, … modulo the polynomial.
 *
 * <p>If x generates all nonzero remainders, words are windows of one periodic sequence; the next
 * window has one bit more and one less. Otherwise the Walsh–Hadamard transform of the histogram of
 * the powers has all weights; it is computed in blocks. A factor x + 1 is left out: with it, each
 * word has its complement.
 */
final class DualWeights {

  /** The maximum degree of a polynomial. */
  static final int MAX_DEGREE = 32;

  private static final int PARTS = 16;

  private DualWeights() {}

  /**
   * Returns the numbers of words by weight, 0 … length.
   *
   * @param modulus of degree 32 or less, with a constant term
   * @param length the length of the code, the degree or more
   * @param engine counts the words that are not windows, and all of them if it is not the cores
   */
  static long[] counts(Gf2Modulus modulus, int length, Engine engine) {
    Gf2Polynomial polynomial =
        Gf2Polynomial.of(modulus.terms()).add(Gf2Polynomial.xToThe(modulus.degree()));
    if (hasWindows(polynomial, engine)) {
      return windows(modulus, length);
    }
    Gf2Polynomial parity = Gf2Polynomial.of(3);
    if (modulus.degree() == 1 || !polynomial.remainder(parity).isZero()) {
      return engine.walshCounts().count(powers(modulus, length), modulus.degree());
    }
    // The word of ones is in the dual code: half of the words are the complements of others.
    Gf2Polynomial rest = polynomial.divide(parity);
    long[] half =
        hasWindows(rest, engine)
            ? windows(Gf2Modulus.of(rest.degree(), rest.word(0) & ~(1L << rest.degree())), length)
            : engine
                .walshCounts()
                .count(
                    Arrays.stream(powers(modulus, length)).map(power -> power >>> 1).toArray(),
                    rest.degree());
    long[] counts = new long[length + 1];
    for (int weight = 0; weight <= length; weight++) {
      counts[weight] = half[weight] + half[length - weight];
    }
    return counts;
  }

  /**
   * Tests whether to count windows: on the cores, if x generates all nonzero remainders, of a
   * degree that {@link Windows} takes.
   */
  private static boolean hasWindows(Gf2Polynomial polynomial, Engine engine) {
    return engine.kind() == EngineKind.CPU
        && polynomial.degree() > Byte.SIZE
        && polynomial.order().longValue() == (1L << polynomial.degree()) - 1;
  }

  /** Returns 1, x, x^2, … modulo a polynomial. */
  private static int[] powers(Gf2Modulus modulus, int length) {
    int[] powers = new int[length];
    long power = 1;
    for (int i = 0; i < length; i++) {
      powers[i] = (int) power;
      power = modulus.timesX(power);
    }
    return powers;
  }

  /** Counts the windows of the sequence of a primitive polynomial, by weight. */
  static long[] windows(Gf2Modulus modulus, int length) {
    long period = (1L << modulus.degree()) - 1;
    List<long[]> parts =
        IntStream.range(0, PARTS)
            .parallel()
            .mapToObj(part ->
                new Windows(modulus, length).counts(cut(period, part), cut(period, part + 1)))
            .toList();
    long[] counts = new long[length + 1];
    counts[0] = 1; // the word of the functional 0
    for (long[] part : parts) {
      for (int weight = 0; weight <= length; weight++) {
        counts[weight] += part[weight];
      }
    }
    return counts;
  }

  private static long cut(long period, int part) {
    return period / PARTS * part + Math.min(part, period % PARTS);
  }

  /** Windows of the sequence of the highest coefficients of the powers of x. */
  private static final class Windows {
    private final Gf2Modulus modulus;
    private final int length;
    private final int shift;

    /** The remainder of each value of the highest 8 coefficients, times x^8. */
    private final long[] remainders = new long[1 << Byte.SIZE];

    /** The next 8 bits of the sequence, the first one lowest. */
    private final int[] bits = new int[1 << Byte.SIZE];

    Windows(Gf2Modulus modulus, int length) {
      this.modulus = modulus;
      this.length = length;
      this.shift = modulus.degree() - Byte.SIZE;
      for (int top = 0; top < remainders.length; top++) {
        long state = (long) top << shift;
        for (int bit = 0; bit < Byte.SIZE; bit++) {
          bits[top] |= (int) (state >>> modulus.degree() - 1) << bit;
          state = modulus.timesX(state);
        }
        remainders[top] = state;
      }
    }

    /** Counts the windows that begin in a range. */
    long[] counts(long from, long to) {
      long[] even = new long[Integer.highestOneBit(length) * 2];
      long[] odd = new long[even.length];
      int mask = even.length - 1;
      long tail = modulus.xToThe(from);
      long head = modulus.xToThe(from + length);
      int weight = 0;
      long state = tail;
      for (int i = 0; i < length; i++) {
        weight += (int) (state >>> modulus.degree() - 1);
        state = modulus.timesX(state);
      }
      long low = modulus.mask() >>> Byte.SIZE;
      long at = from;
      for (; at <= to - Byte.SIZE; at += Byte.SIZE) {
        int tailTop = (int) (tail >>> shift);
        int headTop = (int) (head >>> shift);
        int out = bits[tailTop];
        int in = bits[headTop];
        tail = (tail & low) << Byte.SIZE ^ remainders[tailTop];
        head = (head & low) << Byte.SIZE ^ remainders[headTop];
        even[weight & mask]++;
        weight += (in & 1) - (out & 1);
        odd[weight & mask]++;
        weight += (in >>> 1 & 1) - (out >>> 1 & 1);
        even[weight & mask]++;
        weight += (in >>> 2 & 1) - (out >>> 2 & 1);
        odd[weight & mask]++;
        weight += (in >>> 3 & 1) - (out >>> 3 & 1);
        even[weight & mask]++;
        weight += (in >>> 4 & 1) - (out >>> 4 & 1);
        odd[weight & mask]++;
        weight += (in >>> 5 & 1) - (out >>> 5 & 1);
        even[weight & mask]++;
        weight += (in >>> 6 & 1) - (out >>> 6 & 1);
        odd[weight & mask]++;
        weight += (in >>> 7) - (out >>> 7);
      }
      for (; at < to; at++) {
        even[weight & mask]++;
        int highest = modulus.degree() - 1;
        weight += (int) (head >>> highest) - (int) (tail >>> highest);
        tail = modulus.timesX(tail);
        head = modulus.timesX(head);
      }
      long[] counts = new long[length + 1];
      Arrays.setAll(counts, i -> even[i] + odd[i]);
      return counts;
    }
  }
}
