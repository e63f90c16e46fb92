package io.fieldstone.papers.cuda.stars;

import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * The paper's lookup tables (III-C), without its rounding. The squared distances that sides can
 * have are numbered. For the numbers of two sides, a table bounds the number of the third.
 *
 * <p>With sides a, b, c the circle through the corners has a radius of at most R if and only if
 * a²b²c² ≤ R²(4a²b² − (a² + b² − c²)²), so c² is between the roots of a quadratic. A triangle with
 * an obtuse angle, c² &gt; a² + b² or c² &lt; |a² − b²|, is within a circle of radius R whenever
 * its sides are at most 2R; at a right angle both circles are one, so the interval of c² only
 * grows.
 */
final class TriangleTables {

  /** The maximum R: the second table has fewer than 40 MB, which fit the second-level cache. */
  static final int MAX_RANGE = 64;

  /** Marks a distance that no side can have. */
  private static final short NO_SIDE = -1;

  /** An empty range of numbers: the least is 1, the greatest 0. */
  private static final int EMPTY_RANGE = 1;

  /** Bit position of the greatest number of a range. */
  private static final int GREATEST_SHIFT = 16;

  private final long min;
  private final long greatest;
  private final int side;
  private final long[] squares;

  /** Computes the tables of a field that {@link #isSupported}. */
  TriangleTables(StarField field) {
    long range = (long) field.range();
    this.min = range * range;
    this.greatest = 4 * min;
    this.side = (int) (2 * range + 1);
    this.squares =
        LongStream.range(0, (long) side * side)
            .map(at -> at % side * (at % side) + at / side * (at / side))
            .filter(this::mayBeSide)
            .sorted()
            .distinct()
            .toArray();
  }

  /** Whether a field has integer coordinates and tables that are not too large. */
  static boolean isSupported(StarField field) {
    return field.isIntegral() && field.range() <= MAX_RANGE;
  }

  private boolean mayBeSide(long square) {
    return square > min && square <= greatest;
  }

  /** Returns the number of differences of coordinates, 0 … 2R. */
  int side() {
    return side;
  }

  /** Returns the number of squared distances. */
  int count() {
    return squares.length;
  }

  /** Returns the numbers of distances: that of (dx, dy) is at |dy|·{@link #side} + |dx|. */
  short[] numbers() {
    short[] numbers = new short[side * side];
    for (int at = 0; at < numbers.length; at++) {
      long x = at % side;
      long y = at / side;
      long square = x * x + y * y;
      numbers[at] = mayBeSide(square) ? (short) number(square) : NO_SIDE;
    }
    return numbers;
  }

  /**
   * Returns the ranges of third numbers: that of i and j is at i·{@link #count} + j. The least
   * number is in the low 16 bits, the greatest in the high 16 bits.
   */
  int[] bounds(StarRule rule) {
    int count = squares.length;
    int[] bounds = new int[count * count];
    for (int i = 0; i < count; i++) {
      for (int j = i; j < count; j++) {
        int range = rangeOfThird(squares[i], squares[j], rule);
        bounds[i * count + j] = range;
        bounds[j * count + i] = range;
      }
    }
    return bounds;
  }

  private int rangeOfThird(long a, long b, StarRule rule) {
    double middle = a + b - (double) a * b / (2 * min);
    double difference = a - b;
    double root = Math.sqrt(Math.max(0, middle * middle - difference * difference));
    // The roots are rounded, so the integers around them are tested exactly.
    long low = (long) Math.max(0, middle - root - 1);
    long high = (long) (middle + root) + 1;
    while (low <= high && !isRound(a, b, low)) {
      low++;
    }
    while (low <= high && !isRound(a, b, high)) {
      high--;
    }
    if (rule == StarRule.ENCLOSING_CIRCLE) {
      low = Math.abs(a - b) > min + 1 ? min + 1 : low;
      high = a + b < greatest ? greatest : high;
    }
    int from = number(Math.max(low, min + 1));
    int to = number(Math.min(high, greatest) + 1) - 1;
    return low > high || from > to ? EMPTY_RANGE : from | to << GREATEST_SHIFT;
  }

  private boolean isRound(long a, long b, long c) {
    long s = a + b - c;
    return a * b * c <= min * (4 * a * b - s * s);
  }

  /** Returns the number of squares that are less. */
  private int number(long square) {
    int found = Arrays.binarySearch(squares, square);
    return found >= 0 ? found : -found - 1;
  }
}
