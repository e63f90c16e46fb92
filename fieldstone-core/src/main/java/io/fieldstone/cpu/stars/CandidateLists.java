package io.fieldstone.cpu.stars;

import io.fieldstone.engine.stars.StarField;

/**
 * Lists the candidates of a point, one by one, by the definition, once they are neither plainly too
 * near nor plainly too far. For one thread.
 */
final class CandidateLists {

  /** Of a squared distance relative to itself: more than five roundings. */
  private static final double ERROR = 8 * Math.ulp(1.0);

  private final StarField field;
  private final double[] xs;
  private final double[] ys;
  private final double least;
  private final double most;
  private final CandidateRuns runs;
  private int[] candidates = new int[0];
  private int count;

  CandidateLists(StarField field) {
    this.field = field;
    this.xs = field.xs();
    this.ys = field.ys();
    double square = field.range() * field.range();
    this.least = square * (1 - ERROR);
    this.most = 4 * square * (1 + ERROR);
    this.runs = new CandidateRuns(field);
  }

  /** Lists them; returns how many there are. */
  int list(int lowest) {
    int most = runs.moveTo(lowest);
    if (candidates.length < most) {
      candidates = new int[2 * most];
    }
    count = 0;
    list(lowest, runs.sameRowStart(), runs.sameRowEnd());
    list(lowest, runs.nextRowStart(), runs.nextRowEnd());
    return count;
  }

  /** Those listed last, ascending; the rest of the array means nothing. */
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
      if (square >= least && square <= most && field.isCandidate(lowest, point)) {
        candidates[count] = point;
        count++;
      }
    }
  }
}
