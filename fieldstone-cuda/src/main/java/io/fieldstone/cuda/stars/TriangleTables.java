package io.fieldstone.cuda.stars;

import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * The paper's lookup tables (III-C), without its rounding: squared distances that sides can have
 * are numbered, and for the numbers of two sides the third must be between two numbers.
 *
 * <p>With sides a, b, c the circle through the corners has a radius of at most R if and only if
 * a²b²c² ≤ R²(4a²b² − (a² + b² − c²)²), so c² is between the roots of a quadratic. A triangle with
 * an obtuse angle, c² &gt; a² + b² or c² &lt; |a² − b²|, is within a circle of radius R whenever
 * its sides are at most 2R; at a right angle both circles are one, so the interval of c² only
 * grows.
 */
final class TriangleTables {

  /** Up to here the second table has fewer than 40 MB, which second-level caches hold. */
  static final int MAX_RANGE = 64;

  /** A number that no side has. */
  private static final short NO_SIDE = -1;

  /** Least and greatest between which there is nothing. */
  private static final int NOTHING = 1;

  private static final int GREATEST_SHIFT = 16;

  private final long least;
  private final long most;
  private final int side;
  private final long[] squares;

  /** Those of a field that {@link #suit} it. */
  TriangleTables(StarField field) {
    long range = (long) field.range();
    this.least = range * range;
    this.most = 4 * least;
    this.side = (int) (2 * range + 1);
    this.squares =
        LongStream.range(0, (long) side * side)
            .map(at -> at % side * (at % side) + at / side * (at / side))
            .filter(this::mayBeSide)
            .sorted()
            .distinct()
            .toArray();
  }

  /** Whether a field has tables that are not too large. */
  static boolean suit(StarField field) {
    return field.isIntegral() && field.range() <= MAX_RANGE;
  }

  private boolean mayBeSide(long square) {
    return square > least && square <= most;
  }

  /** Differences 0 … 2R of coordinates: how many. */
  int side() {
    return side;
  }

  /** How many numbers there are. */
  int count() {
    return squares.length;
  }

  /** The number of the distance of points |dx| and |dy| apart, at |dy|·{@link #side} + |dx|. */
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
   * For numbers i and j, at i·{@link #count} + j: the least third and, 16 bits up, the greatest.
   */
  int[] bounds(StarRule rule) {
    int count = squares.length;
    int[] bounds = new int[count * count];
    for (int i = 0; i < count; i++) {
      for (int j = i; j < count; j++) {
        int between = between(squares[i], squares[j], rule);
        bounds[i * count + j] = between;
        bounds[j * count + i] = between;
      }
    }
    return bounds;
  }

  private int between(long a, long b, StarRule rule) {
    double middle = a + b - (double) a * b / (2 * least);
    double difference = a - b;
    double root = Math.sqrt(Math.max(0, middle * middle - difference * difference));
    // Roots are rounded; integers on either side of them decide.
    long low = (long) Math.max(0, middle - root - 1);
    long high = (long) (middle + root) + 1;
    while (low <= high && !isRound(a, b, low)) {
      low++;
    }
    while (low <= high && !isRound(a, b, high)) {
      high--;
    }
    if (rule == StarRule.ENCLOSING_CIRCLE) {
      low = Math.abs(a - b) > least + 1 ? least + 1 : low;
      high = a + b < most ? most : high;
    }
    int from = number(Math.max(low, least + 1));
    int to = number(Math.min(high, most) + 1) - 1;
    return low > high || from > to ? NOTHING : from | to << GREATEST_SHIFT;
  }

  private boolean isRound(long a, long b, long c) {
    long s = a + b - c;
    return a * b * c <= least * (4 * a * b - s * s);
  }

  /** How many squares are less. */
  private int number(long square) {
    int found = Arrays.binarySearch(squares, square);
    return found >= 0 ? found : -found - 1;
  }
}
