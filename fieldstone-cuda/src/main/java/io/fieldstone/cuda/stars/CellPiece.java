package io.fieldstone.cuda.stars;

/**
 * Segments that are searched at a time for stars whose lowest point is in a range.
 *
 * @param segment the first
 * @param segments how many
 * @param first of the lowest points
 * @param end after the last of them
 */
record CellPiece(int segment, int segments, int first, int end) {

  /** The first half, where there is more than one segment. */
  CellPiece firstHalf() {
    return new CellPiece(segment, segments / 2, first, end);
  }

  CellPiece secondHalf() {
    return new CellPiece(segment + segments / 2, segments - segments / 2, first, end);
  }
}
