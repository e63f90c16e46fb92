package io.fieldstone.crc.design;

import io.fieldstone.field.Gf2Modulus;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Tests whether a polynomial has a Hamming distance at a length, and stops at the shortest word of
 * too small a weight.
 *
 * <p>A word of weight k that begins with 1 and ends with x^n is 1 + x^n + f terms between = s terms
 * between, modulo the polynomial, with f + s = k − 2. The sums of s terms are a set that grows with
 * n, and each n takes only the sums of f terms. So a polynomial that fails at n takes about n^f
 * steps for each n. Terms that occur twice cancel, and what remains is a word of a smaller weight,
 * which disqualifies the polynomial, too.
 *
 * <p>Most words of four terms are short; a {@link QuadrupleTest} finds the others. From a distance
 * of seven on, a {@link TripleTest} finds a word of most polynomials at once.
 *
 * <p>The largest weight is tested first, since its words are found at the smallest n. A polynomial
 * with the factor x + 1 has words of even weight only.
 *
 * <p>For one thread.
 */
final class DistanceTest {

  /** Bits by which half of the powers are excluded: see {@link #hasPair}. */
  private static final int HALVES = 4;

  private static final int MIN_TABLE = 1024;

  /** The distance from which on few polynomials are tested, and words of two terms first. */
  private static final int FEW = 5;

  /** The length from which on words of four terms are found by a {@link QuadrupleTest}. */
  private static final int SHORT = 1024;

  private final int width;
  private final int length;

  /** The powers of x, as far as they have been computed. */
  private long[] powers = new long[256];

  private int known;
  private Gf2Modulus modulus;

  /** The greatest exponent of the powers that have been added to the sets. */
  private int added;

  /** The powers of x with exponents 1 to n − 1, exactly, in its first places. */
  private long[] table = new long[MIN_TABLE];

  private int tableMask = MIN_TABLE - 1;

  /** The powers of which a bit is clear, for each of some bits. */
  private final long[][] clear = new long[HALVES][256];

  private final int[] clearCounts = new int[HALVES];
  private final SumFilter ones;
  private final SumFilter sums;
  private @Nullable QuadrupleTest quadruples;

  /** Excludes polynomials of small distance before all words are sought. */
  private final TripleTest triples;

  /**
   * Creates a test.
   *
   * @param width the degree of the polynomials, 2 to 64
   * @param length the bits of a message and its checksum, more than the width
   */
  DistanceTest(int width, int length) {
    this.width = width;
    this.length = length;
    this.modulus = Gf2Modulus.of(width, 1); // until a polynomial is set
    this.ones = new SumFilter(width, 14, 5);
    this.sums = new SumFilter(width, 20, 6);
    this.triples = new TripleTest(width, length);
  }

  /**
   * Tests whether no pattern of fewer errors than a distance is undetected.
   *
   * @param polynomial its terms below the leading one, which include 1
   */
  boolean reaches(long polynomial, int distance) {
    set(polynomial);
    if (distance >= FEW && hasWord(2)) {
      return false;
    }
    if (distance > TripleTest.WEIGHT && triples.powers() > 0) {
      know(triples.powers() - 1);
      if (triples.hasWord(powers)) {
        return false;
      }
    }
    for (int weight = distance - 1; weight >= 2; weight--) {
      if (hasWord(weight)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the Hamming distance of a polynomial that reaches a distance.
   *
   * @param reached a distance that it reaches
   */
  int distance(long polynomial, int reached) {
    set(polynomial);
    int distance = reached;
    while (!hasWord(distance)) { // the polynomial itself is a word
      distance++;
    }
    return distance;
  }

  private void set(long polynomial) {
    modulus = Gf2Modulus.of(width, polynomial);
    powers[0] = 1;
    known = 1;
  }

  private boolean isEven() {
    return Long.bitCount(modulus.terms()) % 2 != 0; // the leading term makes it even
  }

  private void know(int exponent) {
    if (exponent >= powers.length) {
      powers = Arrays.copyOf(powers, Math.min(length, 2 * exponent));
    }
    for (; known <= exponent; known++) {
      powers[known] = modulus.timesX(powers[known - 1]);
    }
  }

  /** Tests whether a sum of this many powers below the length is zero, or of two, four… fewer. */
  private boolean hasWord(int weight) {
    if (weight % 2 != 0 && isEven()) {
      return false;
    }
    if (weight == 1) {
      return false; // x has an inverse
    }
    int inSet = (weight - 1) / 2;
    int free = weight - 2 - inSet;
    clearSets(inSet);
    long entries = 0;
    for (int n = 1; n < length; n++) {
      if (weight == 4 && n == SHORT) {
        return hasQuadruple();
      }
      know(n);
      if (n >= width && hasSum(free, n, 1 ^ powers[n], inSet)) {
        return true;
      }
      if (inSet > 0) {
        addPower(n);
      }
      if (inSet > 1) {
        entries += subsets(n - 1, inSet - 1);
        if (sums.isFull(entries)) {
          sums.grow();
          for (int top = inSet; top < n; top++) {
            addSums(inSet - 1, top, powers[top]);
          }
        }
        addSums(inSet - 1, n, powers[n]);
      }
    }
    return false;
  }

  /** Tests the same for four powers; the sets have the first powers. */
  private boolean hasQuadruple() {
    know(length - 1);
    while (added < length - 1) {
      addPower(added + 1);
    }
    if (quadruples == null) {
      quadruples = new QuadrupleTest(length);
    }
    return quadruples.hasWord(modulus, powers, value -> ones.mayContain(value) && isPower(value));
  }

  private static long subsets(int n, int k) {
    double count = 1;
    for (int i = 0; i < k; i++) {
      count = count * (n - i) / (i + 1);
    }
    return (long) count;
  }

  private void clearSets(int inSet) {
    added = 0;
    if (inSet > 0) {
      tableMask = MIN_TABLE - 1;
      Arrays.fill(table, 0, MIN_TABLE, 0);
      ones.clear();
      Arrays.fill(clearCounts, 0);
    }
    if (inSet > 1) {
      sums.clear();
    }
  }

  private void addPower(int n) {
    if (4 * n > tableMask) {
      tableMask = 2 * tableMask + 1;
      if (table.length <= tableMask) {
        table = new long[tableMask + 1];
      } else {
        Arrays.fill(table, 0, tableMask + 1, 0);
      }
      for (int i = 1; i < n; i++) {
        addToTable(powers[i]);
      }
    }
    long power = powers[n];
    added = n;
    addToTable(power);
    if (ones.isFull(n)) {
      ones.grow();
      for (int i = 1; i < n; i++) {
        ones.add(powers[i]);
      }
    }
    ones.add(power);
    for (int bit = 0; bit < HALVES; bit++) {
      if ((power >>> bit & 1) == 0) {
        if (clearCounts[bit] == clear[bit].length) {
          clear[bit] = Arrays.copyOf(clear[bit], 2 * clearCounts[bit]);
        }
        clear[bit][clearCounts[bit]++] = power;
      }
    }
  }

  private void addToTable(long power) {
    int at = place(power);
    while (table[at] != 0) {
      at = at + 1 & tableMask;
    }
    table[at] = power;
  }

  private int place(long power) {
    return (int) (power * 0xD6E8_FEB8_6659_FD93L >>> Integer.SIZE) & tableMask;
  }

  private boolean isPower(long value) {
    for (int at = place(value); table[at] != 0; at = at + 1 & tableMask) {
      if (table[at] == value) {
        return true;
      }
    }
    return false;
  }

  /** Adds the sums of a partial sum and this many powers with exponents from 1 and below one. */
  private void addSums(int count, int below, long partial) {
    if (count == 1) {
      for (int i = 1; i < below; i++) {
        sums.add(partial ^ powers[i]);
      }
    } else {
      for (int i = count; i < below; i++) {
        addSums(count - 1, i, partial ^ powers[i]);
      }
    }
  }

  /** Tests whether a value plus this many powers with exponents from 1 is a sum in the set. */
  private boolean hasSum(int free, int below, long value, int inSet) {
    if (free == 0) {
      return isSum(inSet, value);
    }
    if (free == 1 && inSet == 1) {
      return hasPair(below, value);
    }
    for (int i = free; i < below; i++) {
      if (hasSum(free - 1, i, value ^ powers[i], inSet)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Tests whether a value is the sum of two powers. If a bit of the value is set, exactly one of
   * the two has it, so the one that has not is sought among half of the powers.
   */
  private boolean hasPair(int below, long value) {
    int bit = Long.numberOfTrailingZeros(value | 1L << HALVES);
    long[] candidates = bit < HALVES ? clear[bit] : powers;
    int end = bit < HALVES ? clearCounts[bit] : below;
    for (int i = bit < HALVES ? 0 : 1; i < end; i++) {
      long other = value ^ candidates[i];
      if (ones.mayContain(other) && isPower(other)) {
        return true;
      }
    }
    return false;
  }

  /** Tests whether a value is a sum of this many powers that have been added. */
  private boolean isSum(int count, long value) {
    return switch (count) {
      case 0 -> value == 0;
      case 1 -> ones.mayContain(value) && isPower(value);
      default -> sums.mayContain(value) && (sums.isExact() || isSumOfPowers(count, added, value));
    };
  }

  /** Tests the same without the set of sums. */
  private boolean isSumOfPowers(int count, int last, long value) {
    if (count == 1) {
      return isPower(value);
    }
    for (int i = count; i <= last; i++) {
      if (isSumOfPowers(count - 1, i - 1, value ^ powers[i])) {
        return true;
      }
    }
    return false;
  }
}
