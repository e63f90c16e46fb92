package io.fieldstone.cuda.stars;

import io.fieldstone.engine.stars.StarBatch.PairBits;
import java.util.ArrayList;
import java.util.List;

/**
 * A range of points whose candidates and pairs are on the GPU at once.
 *
 * @param first point
 * @param points number of points
 * @param candidates of all points
 * @param words 32-bit words for a bit of each pair; 0 if stars are only counted
 * @param units of work of warps
 */
record StarPiece(int first, int points, long candidates, long words, int units) {

  /** Rows of pairs of a unit. */
  static final int UNIT_ROWS = 64;

  /**
   * Cuts points into pieces of at most {@code maxBytes}, or of one point if it needs more.
   *
   * @param counts of the candidates of all points
   * @param hasBits whether a piece has a bit for each pair
   */
  static List<StarPiece> cut(int[] counts, int first, int points, long maxBytes, boolean hasBits) {
    List<StarPiece> pieces = new ArrayList<>();
    StarPiece piece = new StarPiece(first, 0, 0, 0, 0);
    for (int point = first; point < first + points; point++) {
      StarPiece longer = piece.with(counts[point], hasBits);
      if (longer.bytes() > maxBytes && piece.points > 0) {
        pieces.add(piece);
        longer = new StarPiece(point, 0, 0, 0, 0).with(counts[point], hasBits);
      }
      piece = longer;
    }
    if (piece.points > 0) {
      pieces.add(piece);
    }
    return pieces;
  }

  /** Returns the number of units of a point. */
  static int units(int candidates) {
    return candidates < 2 ? 0 : Math.ceilDiv(candidates, UNIT_ROWS);
  }

  private StarPiece with(int count, boolean hasBits) {
    return new StarPiece(
        first,
        points + 1,
        candidates + count,
        words + (hasBits ? PairBits.words(count) : 0),
        units + units(count));
  }

  private long bytes() {
    return points * StarArguments.Place.BYTES
        + candidates * StarScratch.CANDIDATE_BYTES
        + words * Integer.BYTES
        + units * StarArguments.Unit.BYTES;
  }
}
