package io.fieldstone.crc.design;

import io.fieldstone.field.Gf2Modulus;
import java.util.Arrays;
import java.util.function.LongPredicate;

/**
 * Tests whether four powers of x have the sum 0, by baby steps and giant steps: n^1.5 sums of two
 * in place of n². For one thread.
 *
 * <p>A word 1 + x^n = x^i + x^j has i = u + v · m with u from 1 to m. Divided by x^(v · m) it says
 * that x^(−v · m) + x^(n − v · m) is a sum of x^u and another power. These sums are in a filter, of
 * one class by their low bits at a time, so that the filter fits into a cache. A value that passes
 * it is compared with all sums of its kind.
 */
final class QuadrupleTest {

  /** The number of low bits that are the class of a value. */
  private static final int CLASS_BITS = 6;

  private static final int CLASSES = 1 << CLASS_BITS;

  /** The logarithm of the minimum bits for a sum in the filter, of which two are set. */
  private static final int LOG_SPACE = 5;

  /** The maximum number of sums; more length leaves fewer baby steps. */
  private static final long MAX_SUMS = 1 << 27;

  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  private final int length;
  private final int babySteps;

  /** The powers from x on by class, and in a class by their exponents. */
  private final long[] sorted;

  private final int[] exponents;
  private final int[] starts = new int[CLASSES + 1];

  /** The filter; a sum has two bits of a word. */
  private final long[] words;

  private final int shift;

  /**
   * Creates a test.
   *
   * @param length the number of powers, 2 or more
   */
  QuadrupleTest(int length) {
    this.length = length;
    long fit = Math.max(1, MAX_SUMS / length);
    this.babySteps = (int) Math.clamp((long) Math.sqrt(length / 2.0), 1, fit);
    this.sorted = new long[length];
    this.exponents = new int[length];
    long bits = ((long) babySteps * length << LOG_SPACE) / CLASSES;
    int logWords = Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(bits) - 6);
    this.words = new long[1 << logWords];
    this.shift = Long.SIZE - logWords;
  }

  /**
   * Tests whether there is a word of four terms.
   *
   * @param powers x^0 … x^(length − 1), all different
   * @param isPower tests whether a value is one of them, without the first
   */
  boolean hasWord(Gf2Modulus modulus, long[] powers, LongPredicate isPower) {
    sort(powers);
    long inverse = modulus.inverseOfX();
    long[] giants = new long[Math.ceilDiv(length - 1, babySteps)]; // x^(−v · m)
    giants[0] = 1;
    for (int v = 1; v < giants.length; v++) {
      giants[v] = giants[v - 1];
      for (int u = 0; u < babySteps; u++) {
        giants[v] = overX(giants[v], inverse);
      }
    }
    for (int ofSums = 0; ofSums < CLASSES; ofSums++) {
      addSums(ofSums, powers);
      for (int v = 0; v < giants.length; v++) {
        int giant = v * babySteps;
        int other = classOf(giants[v]) ^ ofSums;
        for (int k = starts[other]; k < starts[other + 1] && exponents[k] < length - giant; k++) {
          long value = giants[v] ^ sorted[k];
          if (mayContain(value) && isSum(value, giant, inverse, powers, isPower)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static int classOf(long value) {
    return (int) value & CLASSES - 1;
  }

  /** Sorts the powers by class. */
  private void sort(long[] powers) {
    Arrays.fill(starts, 0);
    for (int i = 1; i < length; i++) {
      starts[classOf(powers[i])]++;
    }
    for (int of = CLASSES, end = length - 1; of >= 0; of--) {
      end -= starts[of];
      starts[of] = end;
    }
    int[] next = starts.clone();
    for (int i = 1; i < length; i++) {
      int at = next[classOf(powers[i])]++;
      sorted[at] = powers[i];
      exponents[at] = i;
    }
  }

  /** Fills the filter with the sums of a class: those of x^u and of a higher power. */
  private void addSums(int ofSums, long[] powers) {
    Arrays.fill(words, 0);
    int[] from = starts.clone();
    for (int u = 1; u <= babySteps && u < length; u++) {
      int other = classOf(powers[u]) ^ ofSums;
      int end = starts[other + 1];
      while (from[other] < end && exponents[from[other]] <= u) {
        from[other]++;
      }
      for (int k = from[other]; k < end; k++) {
        add(powers[u] ^ sorted[k]);
      }
    }
  }

  /**
   * Tests whether a value is x^u + x^(u + d), where u + d and the steps before are in the length.
   */
  private boolean isSum(long value, int giant, long inverse, long[] powers, LongPredicate isPower) {
    long rest = value;
    for (int u = 1; u <= babySteps; u++) {
      rest = overX(rest, inverse);
      if (isPower.test(rest ^ 1)) {
        int d = 1;
        while (powers[d] != (rest ^ 1)) {
          d++;
        }
        if (giant + u + d < length) {
          return true;
        }
      }
    }
    return false;
  }

  private static long overX(long value, long inverse) {
    return value >>> 1 ^ -(value & 1) & inverse;
  }

  private void add(long sum) {
    long hash = sum * MIX;
    words[(int) (hash >>> shift)] |= bits(hash);
  }

  private boolean mayContain(long sum) {
    long hash = sum * MIX;
    long bits = bits(hash);
    return (words[(int) (hash >>> shift)] & bits) == bits;
  }

  /** Returns two bits, by other parts of the hash than the place of the word. */
  private static long bits(long hash) {
    return 1L << (hash >>> 20) | 1L << (hash >>> 26);
  }
}
