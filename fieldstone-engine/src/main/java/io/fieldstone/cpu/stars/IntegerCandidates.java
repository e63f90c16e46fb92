package io.fieldstone.cpu.stars;

import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LE;
import static jdk.incubator.vector.VectorOperators.LT;

import io.fieldstone.engine.stars.StarField;
import java.util.Arrays;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Lists the candidates of a point, a vector of points at a time, for integer coordinates for which
 * squared distances of up to six ranges fit an int. Not thread-safe.
 */
final class IntegerCandidates {

  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final int LANES = INTS.length();

  private final int[] xs;
  private final int[] ys;
  private final int min;
  private final int max;
  private final CandidateRuns runs;
  private int[] candidates = new int[0];
  private int[] rightward = new int[0];
  private int[] upward = new int[0];
  private int count;

  /**
   * Makes an empty list.
   *
   * @param xs x-coordinates of the field's points, padded by at least a vector
   * @param ys y-coordinates, padded likewise
   */
  IntegerCandidates(StarField field, int[] xs, int[] ys) {
    this.xs = xs;
    this.ys = ys;
    this.min = (int) (field.range() * field.range());
    this.max = 4 * min;
    this.runs = new CandidateRuns(field);
  }

  /** Returns coordinates as ints, padded by a vector. */
  static int[] padded(double[] coordinates) {
    int[] ints = new int[coordinates.length + LANES];
    for (int i = 0; i < coordinates.length; i++) {
      ints[i] = (int) coordinates[i];
    }
    return ints;
  }

  /** Lists the candidates of a point and returns their number. */
  int list(int lowest) {
    int room = runs.moveTo(lowest) + LANES;
    if (candidates.length < room) {
      candidates = new int[2 * room];
      rightward = Arrays.copyOf(candidates, 2 * room);
      upward = Arrays.copyOf(candidates, 2 * room);
    }
    count = 0;
    list(lowest, runs.sameRowStart(), runs.sameRowEnd());
    list(lowest, runs.nextRowStart(), runs.nextRowEnd());
    return count;
  }

  private void list(int lowest, int from, int to) {
    int x = xs[lowest];
    int y = ys[lowest];
    int listed = count;
    IntVector point = IntVector.broadcast(INTS, from).addIndex(1);
    for (int next = from; next < to; next += LANES) {
      IntVector dx = IntVector.fromArray(INTS, xs, next).sub(x);
      IntVector dy = IntVector.fromArray(INTS, ys, next).sub(y);
      IntVector square = dx.mul(dx).add(dy.mul(dy));
      VectorMask<Integer> higher = dy.compare(GT, 0).or(dy.compare(EQ, 0).and(dx.compare(GT, 0)));
      VectorMask<Integer> near = square.compare(GT, min).and(square.compare(LE, max));
      VectorMask<Integer> listable = near.and(higher).and(point.compare(LT, to));
      point.compress(listable).intoArray(candidates, listed);
      dx.compress(listable).intoArray(rightward, listed);
      dy.compress(listable).intoArray(upward, listed);
      listed += listable.trueCount();
      point = point.add(LANES);
    }
    count = listed;
  }

  /** Returns the candidates listed last, ascending; the rest of the array is undefined. */
  int[] candidates() {
    return candidates;
  }

  /** Horizontal offset of each from the point. */
  int[] rightward() {
    return rightward;
  }

  /** Vertical offset of each from the point. */
  int[] upward() {
    return upward;
  }
}
