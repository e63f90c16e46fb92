package io.fieldstone.cpu.stars;

import io.fieldstone.engine.stars.StarField;

/** The two runs of points among which the candidates of a point are. For one thread. */
final class CandidateRuns {

  /**
   * Of the points in six cells of side 2R, so many are candidates of one of them if they are spread
   * evenly: 3πR²/2 of 24R².
   */
  static final double EXPECTED_SHARE = Math.PI / 16;

  private final StarField.Cells cells;

  /** Points of the cell that was last looked at. */
  private int cellStart;

  private int cellEnd;
  private int sameRowStart;
  private int sameRowEnd;
  private int nextRowStart;
  private int nextRowEnd;

  CandidateRuns(StarField field) {
    this.cells = field.cells();
  }

  /** Goes to a point; returns how many points are in both runs. */
  int moveTo(int point) {
    if (point < cellStart || point >= cellEnd) {
      int cell = cells.of(point);
      cellStart = cells.start(cell);
      cellEnd = cells.start(cell + 1);
      sameRowStart = cells.runStart(cell, 0);
      sameRowEnd = cells.runEnd(cell, 0);
      nextRowStart = cells.runStart(cell, 1);
      nextRowEnd = cells.runEnd(cell, 1);
    }
    return sameRowEnd - sameRowStart + nextRowEnd - nextRowStart;
  }

  /** The first point in the cell and those beside it. */
  int sameRowStart() {
    return sameRowStart;
  }

  int sameRowEnd() {
    return sameRowEnd;
  }

  /** The first point in the three cells above those. */
  int nextRowStart() {
    return nextRowStart;
  }

  int nextRowEnd() {
    return nextRowEnd;
  }
}
