package io.fieldstone.cpu;

import io.fieldstone.engine.StarField;

/** Lists the candidates of a point, one by one, by the definition. For one thread. */
final class CandidateLists {

  private final StarField field;
  private final CandidateRuns runs;
  private int[] candidates = new int[0];
  private int count;

  CandidateLists(StarField field) {
    this.field = field;
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
    for (int point = from; point < to; point++) {
      if (field.isCandidate(lowest, point)) {
        candidates[count] = point;
        count++;
      }
    }
  }
}
