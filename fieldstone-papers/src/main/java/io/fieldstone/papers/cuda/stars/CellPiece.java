package io.fieldstone.papers.cuda.stars;

/**
 * A range of segments that is searched for stars whose lowest point is in a range.
 *
 * @param segment first segment
 * @param segments number of segments
 * @param first lowest point
 * @param end the point after the last lowest point
 */
record CellPiece(int segment, int segments, int first, int end) {

  /** Returns the first half; requires at least two segments. */
  CellPiece firstHalf() {
    return new CellPiece(segment, segments / 2, first, end);
  }

  CellPiece secondHalf() {
    return new CellPiece(segment + segments / 2, segments - segments / 2, first, end);
  }
}
