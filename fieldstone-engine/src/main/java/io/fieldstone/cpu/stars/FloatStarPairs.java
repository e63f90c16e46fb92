package io.fieldstone.cpu.stars;

import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LE;
import static jdk.incubator.vector.VectorOperators.LT;

import io.fieldstone.engine.stars.StarBatch.PairBits;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Tests a vector of pairs at a time in single precision. The result is exact for integer
 * coordinates and a range of at most {@value #MAX_RANGE}.
 *
 * <p>With the lowest point as the origin let j and k be two candidates, d = (k − j)·k the dot
 * product of the sides that meet in k, and x = |j × k|. The cotangent of the angle in k is d/x, so
 * the circle through the three has a radius of at most R if and only if |d| ≤ t·x, where t² = (4R²
 * − j²) / j² depends on j alone. And j and k are more than R apart if and only if d − k²/2 &gt; (R²
 * − j²)/2. These integers are less than 2^24, so floats represent them exactly.
 *
 * <p><b>Why this is exact.</b> t is given as the sum of two floats, high + low, which is at least t
 * and exceeds it by less than 2.4·2^−48. If |d| &gt; t·x then d²j² ≥ (4R² − j²)x² + 1, hence |d| −
 * t·x ≥ 1 / j²(|d| + t·x). Where |d| is about t·x, the circle's radius is about R, so x ≤ 2.6R²,
 * twice its largest triangle; with j²t ≤ 2R² the excess cannot make up for that as long as 2.4·27R⁶
 * &lt; 2^48. The first fused multiply-add makes |d| − high·x: exactly if that is less than twice
 * high's leading power of 2, being a multiple of high's last bit; otherwise low·x cannot change its
 * sign. Rounding the second does not change a sign.
 *
 * <p>{@code CpuStarsTest} tests fields with many circles of radius close to R.
 */
final class FloatStarPairs implements StarPairs {

  /** Maximum range; the proof allows 127. */
  static final int MAX_RANGE = 120;

  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = FLOATS.length();

  /** Upper bound of the error of t as a double: two roundings of a number less than 2. */
  private static final double EXCESS = 0x1p-50;

  private final IntegerCandidates lists;
  private final float min;
  private final float max;
  private final boolean enclosing;
  private int count;

  /** Coordinates of each candidate, its squared norm, and half of that. */
  private float[] xs = new float[0];

  private float[] ys = new float[0];
  private float[] squares = new float[0];
  private float[] halves = new float[0];

  /** −t of each candidate as the sum of two floats. */
  private float[] highs = new float[0];

  private float[] lows = new float[0];

  private int[] row = new int[0];

  private FloatStarPairs(StarField field, int[] xs, int[] ys) {
    this.lists = new IntegerCandidates(field, xs, ys);
    this.min = (float) (field.range() * field.range());
    this.max = 4 * min;
    this.enclosing = field.rule() == StarRule.ENCLOSING_CIRCLE;
  }

  /** Returns whether the tests are exact in a field. */
  static boolean suits(StarField field) {
    return field.isIntegral() && field.range() <= MAX_RANGE && LANES > 1 && LANES <= Integer.SIZE;
  }

  /** Makes kernels for a field. */
  static Factory in(StarField field) {
    int[] xs = IntegerCandidates.padded(field.xs());
    int[] ys = IntegerCandidates.padded(field.ys());
    return () -> new FloatStarPairs(field, xs, ys);
  }

  @Override
  public int moveTo(int lowest) {
    count = lists.list(lowest);
    reserve(count + LANES);
    int[] rightward = lists.rightward();
    int[] upward = lists.upward();
    for (int i = 0; i < count; i++) {
      xs[i] = rightward[i];
      ys[i] = upward[i];
    }
    for (int i = 0; i < count; i++) {
      squares[i] = xs[i] * xs[i] + ys[i] * ys[i];
      halves[i] = squares[i] / 2;
    }
    for (int i = 0; i < count; i++) {
      double square = squares[i];
      double t = Math.sqrt((max - square) / square);
      highs[i] = -(float) t;
      lows[i] = -Math.nextUp((float) (t + highs[i] + EXCESS));
    }
    return count;
  }

  private void reserve(int room) {
    if (xs.length < room) {
      xs = new float[2 * room];
      ys = new float[2 * room];
      squares = new float[2 * room];
      halves = new float[2 * room];
      highs = new float[2 * room];
      lows = new float[2 * room];
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
      stars += row(j, row, 0);
    }
    return stars;
  }

  @Override
  public void bits(int[] words, int from) {
    int word = from;
    for (int j = 1; j < count; j++) {
      int _ = row(j, words, word);
      word += PairBits.rowWords(j);
    }
  }

  /**
   * Writes the bits of a row and returns how many are set. The loop uses no helper methods: one
   * that has been compiled before is called rather than inlined, and boxes every vector.
   */
  private int row(int j, int[] words, int from) {
    FloatVector leftward = FloatVector.broadcast(FLOATS, -xs[j]);
    FloatVector downward = FloatVector.broadcast(FLOATS, -ys[j]);
    FloatVector upward = FloatVector.broadcast(FLOATS, ys[j]);
    FloatVector square = FloatVector.broadcast(FLOATS, squares[j]);
    FloatVector near = FloatVector.broadcast(FLOATS, (min - squares[j]) / 2);
    FloatVector far = FloatVector.broadcast(FLOATS, (max - squares[j]) / 2);
    FloatVector high = FloatVector.broadcast(FLOATS, highs[j]);
    FloatVector low = FloatVector.broadcast(FLOATS, lows[j]);
    int bits = 0;
    int count = 0;
    for (int k = 0; k < j; k += LANES) {
      FloatVector x = FloatVector.fromArray(FLOATS, xs, k);
      FloatVector y = FloatVector.fromArray(FLOATS, ys, k);
      FloatVector kSquare = FloatVector.fromArray(FLOATS, squares, k);
      FloatVector dot = y.fma(downward, x.fma(leftward, kSquare));
      FloatVector cross = x.fma(upward, y.mul(leftward)).abs();
      FloatVector excess = cross.fma(low, cross.fma(high, dot.abs()));
      // Half the squared distance, minus j²/2.
      FloatVector apart = dot.sub(FloatVector.fromArray(FLOATS, halves, k));
      VectorMask<Float> stars = apart.compare(GT, near);
      if (enclosing) {
        FloatVector atOrigin = kSquare.sub(dot);
        FloatVector obtuse = dot.min(atOrigin).min(square.sub(atOrigin));
        stars = stars.and(apart.compare(LE, far));
        stars = stars.and(excess.compare(LE, 0).or(obtuse.compare(LT, 0)));
      } else {
        stars = stars.and(excess.compare(LE, 0));
      }
      int bit = k % PairBits.WORD_BITS;
      int lanes = (int) stars.toLong();
      count += Integer.bitCount(lanes);
      bits = bit == 0 ? lanes : bits | lanes << bit;
      words[from + k / PairBits.WORD_BITS] = bits;
    }
    if (j % PairBits.WORD_BITS != 0) {
      int last = from + j / PairBits.WORD_BITS;
      int beyond = words[last] & -1 << j;
      words[last] ^= beyond;
      count -= Integer.bitCount(beyond);
    }
    return count;
  }
}
