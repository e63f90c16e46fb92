package io.fieldstone.crc.design;

import java.util.Arrays;

/**
 * Finds words of up to six terms by two equal sums of three powers of x. It excludes most
 * polynomials that have many such words, in some thousand steps; it does not find all words. For
 * one thread.
 *
 * <p>Sums are compared only if their low bits are zero: that of two powers and a third with the
 * same low bits. By the birthday paradox, 2^(s / 2) sums that differ in s bits have equal ones (D.
 * Wagner, "A generalized birthday problem", CRYPTO 2002). Terms that occur in both sums cancel, and
 * what remains is a word of fewer terms.
 */
final class TripleTest {

  /** The most terms of a word that is found. */
  static final int WEIGHT = 6;

  /** The powers that are used: enough for more words than are needed to find one. */
  private static final int MAX_POWERS = 512;

  /** The multiple of 2^(s / 2) sums that are compared: 18 equal ones are expected. */
  private static final int FACTOR = 6;

  /** The words of six terms, of which one is 1, that are expected at least of a polynomial. */
  private static final double MIN_WORDS = 3;

  private static final int MAX_SUMS = 1 << 18;
  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  private final int count;
  private final int low;
  private final int maxSums;

  /** The powers by their low bits, and in a class by their exponents. */
  private final long[] sorted;

  private final int[] exponents;
  private final int[] starts;

  /** The sums of three, without their low bits, and the number of the test that has each. */
  private final long[] sums;

  private final int[] tests;
  private final int shift;
  private int test;

  /**
   * Creates a test.
   *
   * @param width the degree of the polynomials, 2 to 64
   * @param length the bits of a message and its checksum
   */
  TripleTest(int width, int length) {
    this.count = Math.min(length, MAX_POWERS);
    this.low = Math.min(width, Integer.SIZE - 1 - Integer.numberOfLeadingZeros(count));
    double needed = FACTOR * Math.pow(2, (width - low) / 2.0);
    double words = Math.pow(2, -width);
    for (int i = 1; i < WEIGHT; i++) {
      words *= (count - i) / (double) i;
    }
    boolean isOfUse = needed <= MAX_SUMS && words >= MIN_WORDS;
    this.maxSums = isOfUse ? (int) needed : 0;
    int logPlaces = Integer.SIZE - Integer.numberOfLeadingZeros(2 * maxSums);
    this.sums = new long[1 << logPlaces];
    this.tests = new int[1 << logPlaces];
    this.shift = Long.SIZE - Math.max(1, logPlaces);
    this.sorted = new long[count];
    this.exponents = new int[count];
    this.starts = new int[(1 << low) + 1];
  }

  /** Returns the number of powers that {@link #hasWord} needs; 0 if it would find nothing. */
  int powers() {
    return maxSums == 0 ? 0 : count;
  }

  /**
   * Tests whether two sums of three powers are equal.
   *
   * @param powers x^0 … x^(n − 1), of which the first {@link #powers} are used
   * @return true if a word of two, four or six terms is known
   */
  boolean hasWord(long[] powers) {
    sort(powers);
    test++;
    int known = 0;
    int mask = (1 << low) - 1;
    for (int i = 0; i < count; i++) {
      for (int j = i + 1; j < count; j++) {
        long two = powers[i] ^ powers[j];
        int of = (int) two & mask;
        for (int k = starts[of + 1] - 1; k >= starts[of] && exponents[k] > j; k--) {
          if (isKnown((two ^ sorted[k]) >>> low)) {
            return true;
          }
          known++;
          if (known == maxSums) {
            return false;
          }
        }
      }
    }
    return false;
  }

  /** Sorts the powers by their low bits. */
  private void sort(long[] powers) {
    int mask = (1 << low) - 1;
    Arrays.fill(starts, 0);
    for (int i = 0; i < count; i++) {
      starts[(int) powers[i] & mask]++;
    }
    for (int of = mask + 1, end = count; of >= 0; of--) {
      end -= starts[of];
      starts[of] = end;
    }
    // Each start is moved to the end of its class, and back by the next loop.
    for (int i = 0; i < count; i++) {
      int at = starts[(int) powers[i] & mask]++;
      sorted[at] = powers[i];
      exponents[at] = i;
    }
    System.arraycopy(starts, 0, starts, 1, mask + 1);
    starts[0] = 0;
  }

  /** Tests whether a sum was added in this test, and adds it. */
  private boolean isKnown(long sum) {
    int places = sums.length - 1;
    for (int at = (int) (sum * MIX >>> shift) & places; ; at = at + 1 & places) {
      if (tests[at] != test) {
        tests[at] = test;
        sums[at] = sum;
        return false;
      }
      if (sums[at] == sum) {
        return true;
      }
    }
  }
}
