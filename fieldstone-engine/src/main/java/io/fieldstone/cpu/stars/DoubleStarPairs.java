package io.fieldstone.cpu.stars;

import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LE;
import static jdk.incubator.vector.VectorOperators.LT;

import io.fieldstone.engine.stars.StarBatch.PairBits;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Tests a vector of pairs at a time in double precision, for any coordinates, by the formulas of
 * {@link FloatStarPairs}. Pairs for which rounding could matter are tested exactly by {@link
 * StarTest}.
 *
 * <p><b>Errors.</b> Let u = 2^−53, and all candidates be at most 2R from the origin. The errors are
 * at most u·2R in coordinates, 16uR² in squares, 40uR² in dot products and 16uR² in cross products.
 * So terms compared with distances, and with 0 for obtuse angles, have errors below {@link #ERROR}
 * = 128uR². The error of t² is at most {@link #SQUARE_ERROR} = 80u, hence that of t at most 80u /
 * max(t, √80u), and cross products are at most 4R². If an angle is wrongly classified as obtuse or
 * not, it is nearly a right one. The circle test is then either certain, and correct for both
 * rules, or uncertain itself.
 */
final class DoubleStarPairs implements StarPairs {

  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
  private static final int LANES = DOUBLES.length();

  private static final double UNIT = Math.ulp(0.5);

  /** Error bound of terms compared with distances, in R². */
  private static final double ERROR = 128 * UNIT;

  /** Error bound of the term compared with 0 by the circle test, in R², without that of t. */
  private static final double CIRCLE_ERROR = 512 * UNIT;

  /** Error bound of t². */
  private static final double SQUARE_ERROR = 80 * UNIT;

  /** Upper bound of cross products, in R². */
  private static final double MAX_CROSS = 4;

  private final StarTest test;
  private final CandidateLists lists;
  private final double[] fieldXs;
  private final double[] fieldYs;
  private final double min;
  private final double max;
  private final double error;
  private final boolean enclosing;
  private int lowest;
  private int count;

  /** Coordinates of each candidate, its squared norm, and half of that. */
  private double[] xs = new double[0];

  private double[] ys = new double[0];
  private double[] squares = new double[0];
  private double[] halves = new double[0];

  /** −t of each candidate, and the error bound of the test. */
  private double[] slopes = new double[0];

  private double[] errors = new double[0];
  private int[] row = new int[0];

  DoubleStarPairs(StarField field) {
    this.test = new StarTest(field);
    this.lists = new CandidateLists(field);
    this.fieldXs = field.xs();
    this.fieldYs = field.ys();
    this.min = field.range() * field.range();
    this.max = 4 * min;
    this.error = ERROR * min;
    this.enclosing = field.rule() == StarRule.ENCLOSING_CIRCLE;
  }

  @Override
  public int moveTo(int lowest) {
    this.lowest = lowest;
    count = lists.list(lowest);
    reserve(count + LANES);
    int[] candidates = lists.candidates();
    for (int i = 0; i < count; i++) {
      xs[i] = fieldXs[candidates[i]] - fieldXs[lowest];
      ys[i] = fieldYs[candidates[i]] - fieldYs[lowest];
    }
    for (int i = 0; i < count; i++) {
      squares[i] = xs[i] * xs[i] + ys[i] * ys[i];
      halves[i] = squares[i] / 2;
      double square = Math.max(0, (max - squares[i]) / squares[i]);
      double t = Math.sqrt(square);
      slopes[i] = -t;
      double slopeError = SQUARE_ERROR / Math.max(t, Math.sqrt(SQUARE_ERROR));
      errors[i] = min * (CIRCLE_ERROR + MAX_CROSS * slopeError);
    }
    return count;
  }

  private void reserve(int room) {
    if (xs.length < room) {
      xs = new double[2 * room];
      ys = new double[2 * room];
      squares = new double[2 * room];
      halves = new double[2 * room];
      slopes = new double[2 * room];
      errors = new double[2 * room];
      row = new int[PairBits.rowWords(2 * room)];
    }
  }

  @Override
  public int[] candidates() {
    return lists.candidates();
  }

  @Override
  public long count() {
    long stars = 0;
    for (int j = 1; j < count; j++) {
      row(j, row, 0);
      int words = PairBits.rowWords(j);
      for (int i = 0; i < words; i++) {
        stars += Integer.bitCount(row[i]);
      }
    }
    return stars;
  }

  @Override
  public void bits(int[] words, int from) {
    int word = from;
    for (int j = 1; j < count; j++) {
      row(j, words, word);
      word += PairBits.rowWords(j);
    }
  }

  private void row(int j, int[] words, int from) {
    DoubleVector leftward = DoubleVector.broadcast(DOUBLES, -xs[j]);
    DoubleVector downward = DoubleVector.broadcast(DOUBLES, -ys[j]);
    DoubleVector upward = DoubleVector.broadcast(DOUBLES, ys[j]);
    DoubleVector square = DoubleVector.broadcast(DOUBLES, squares[j]);
    DoubleVector near = DoubleVector.broadcast(DOUBLES, (min - squares[j]) / 2);
    DoubleVector far = DoubleVector.broadcast(DOUBLES, (max - squares[j]) / 2);
    DoubleVector slope = DoubleVector.broadcast(DOUBLES, slopes[j]);
    double circleError = errors[j];
    int bits = 0;
    for (int k = 0; k < j; k += LANES) {
      DoubleVector x = DoubleVector.fromArray(DOUBLES, xs, k);
      DoubleVector y = DoubleVector.fromArray(DOUBLES, ys, k);
      DoubleVector kSquare = DoubleVector.fromArray(DOUBLES, squares, k);
      DoubleVector dot = y.fma(downward, x.fma(leftward, kSquare));
      DoubleVector cross = x.fma(upward, y.mul(leftward)).abs();
      DoubleVector excess = cross.fma(slope, dot.abs());
      DoubleVector apart = dot.sub(DoubleVector.fromArray(DOUBLES, halves, k));
      DoubleVector beyond = apart.sub(near);
      VectorMask<Double> stars = beyond.compare(GT, 0).and(excess.compare(LE, 0));
      VectorMask<Double> unsure =
          beyond.abs().compare(LE, error).or(excess.abs().compare(LE, circleError));
      if (enclosing) {
        DoubleVector atOrigin = kSquare.sub(dot);
        DoubleVector obtuse = dot.min(atOrigin).min(square.sub(atOrigin));
        DoubleVector within = apart.sub(far);
        stars = stars.or(beyond.compare(GT, 0).and(obtuse.compare(LT, 0)));
        stars = stars.and(within.compare(LE, 0));
        unsure = unsure.or(within.abs().compare(LE, error));
      }
      long lanes = stars.toLong();
      if (unsure.anyTrue()) {
        lanes = resolve(j, k, lanes, unsure.toLong());
      }
      int bit = k % PairBits.WORD_BITS;
      bits = bit == 0 ? (int) lanes : bits | (int) lanes << bit;
      words[from + k / PairBits.WORD_BITS] = bits;
    }
    if (j % PairBits.WORD_BITS != 0) {
      words[from + j / PairBits.WORD_BITS] &= (1 << j) - 1;
    }
  }

  /** Tests the uncertain pairs exactly. */
  private long resolve(int j, int k, long stars, long unsure) {
    int[] candidates = lists.candidates();
    long resolved = stars & ~unsure;
    for (long left = unsure; left != 0; left &= left - 1) {
      int lane = Long.numberOfTrailingZeros(left);
      if (k + lane < j && test.isStar(lowest, candidates[j], candidates[k + lane])) {
        resolved |= 1L << lane;
      }
    }
    return resolved;
  }
}
