package io.fieldstone.cpu.stars;

import io.fieldstone.engine.stars.StarField;

/** The two runs of points that contain the candidates of a point. Not thread-safe. */
final class CandidateRuns {

  /**
   * Mean fraction of candidates among the points of six cells of side 2R, for uniform points:
   * 3πR²/2 of 24R².
   */
  static final double EXPECTED_SHARE = Math.PI / 16;

  private final StarField.Cells cells;

  /** The range of points of the cell that was read last. */
  private int cellStart;

  private int cellEnd;
  private int sameRowStart;
  private int sameRowEnd;
  private int nextRowStart;
  private int nextRowEnd;

  CandidateRuns(StarField field) {
    this.cells = field.cells();
  }

  /** Selects a point and returns the number of points in both runs. */
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

  /** Start of the run of the cell and those next to it in its row. */
  int sameRowStart() {
    return sameRowStart;
  }

  int sameRowEnd() {
    return sameRowEnd;
  }

  /** Start of the run of the three cells in the next row. */
  int nextRowStart() {
    return nextRowStart;
  }

  int nextRowEnd() {
    return nextRowEnd;
  }
}
