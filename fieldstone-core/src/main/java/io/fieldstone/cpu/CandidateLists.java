package io.fieldstone.cpu;

import io.fieldstone.engine.StarField;
import java.util.Arrays;

/** Lists the candidates of a point. For one thread. */
final class CandidateLists {

  private static final int FIRST_ROOM = 64;

  private final StarField field;
  private final StarField.Cells cells;
  private int[] candidates = new int[FIRST_ROOM];
  private int count;

  /**
   * Points of the cell that was last looked at, and the two runs in which candidates of them are.
   */
  private int cellStart;

  private int cellEnd;
  private int sameRowStart;
  private int sameRowEnd;
  private int nextRowStart;
  private int nextRowEnd;

  CandidateLists(StarField field) {
    this.field = field;
    this.cells = field.cells();
  }

  /** Lists them; returns how many there are. */
  int list(int lowest) {
    enterCellOf(lowest);
    count = 0;
    reserve(sameRowEnd - sameRowStart + nextRowEnd - nextRowStart);
    list(lowest, sameRowStart, sameRowEnd);
    list(lowest, nextRowStart, nextRowEnd);
    return count;
  }

  /** No point of the same cell has more candidates. */
  long bound(int lowest) {
    enterCellOf(lowest);
    return (long) sameRowEnd - sameRowStart + nextRowEnd - nextRowStart;
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

  private void enterCellOf(int point) {
    if (point >= cellStart && point < cellEnd) {
      return;
    }
    int cell = cells.of(point);
    cellStart = cells.start(cell);
    cellEnd = cells.start(cell + 1);
    sameRowStart = cells.runStart(cell, 0);
    sameRowEnd = cells.runEnd(cell, 0);
    nextRowStart = cells.runStart(cell, 1);
    nextRowEnd = cells.runEnd(cell, 1);
  }

  private void reserve(int most) {
    if (candidates.length < most) {
      candidates = Arrays.copyOf(candidates, Math.max(most, 2 * candidates.length));
    }
  }
}
