package io.fieldstone.cpu.stars;

import io.fieldstone.engine.stars.StarField;

/**
 * Lists the candidates of a point. Points that are clearly too near or too far are rejected by
 * floating-point distances, the others by the exact definition. Not thread-safe.
 */
final class CandidateLists {

  /** Bound of the relative error of a squared distance: more than five roundings. */
  private static final double ERROR = 8 * Math.ulp(1.0);

  private final StarField field;
  private final double[] xs;
  private final double[] ys;
  private final double min;
  private final double max;
  private final CandidateRuns runs;
  private int[] candidates = new int[0];
  private int count;

  CandidateLists(StarField field) {
    this.field = field;
    this.xs = field.xs();
    this.ys = field.ys();
    double square = field.range() * field.range();
    this.min = square * (1 - ERROR);
    this.max = 4 * square * (1 + ERROR);
    this.runs = new CandidateRuns(field);
  }

  /** Lists the candidates of a point and returns their number. */
  int list(int lowest) {
    int max = runs.moveTo(lowest);
    if (candidates.length < max) {
      candidates = new int[2 * max];
    }
    count = 0;
    list(lowest, runs.sameRowStart(), runs.sameRowEnd());
    list(lowest, runs.nextRowStart(), runs.nextRowEnd());
    return count;
  }

  /** Returns the candidates listed last, ascending; the rest of the array is undefined. */
  int[] candidates() {
    return candidates;
  }

  private void list(int lowest, int from, int to) {
    double x = xs[lowest];
    double y = ys[lowest];
    for (int point = from; point < to; point++) {
      double dx = xs[point] - x;
      double dy = ys[point] - y;
      double square = dx * dx + dy * dy;
      if (square >= min && square <= max && field.isCandidate(lowest, point)) {
        candidates[count] = point;
        count++;
      }
    }
  }
}
