package io.fieldstone.cuda.stars;

import io.fieldstone.engine.stars.StarBatch.PairBits;
import java.util.ArrayList;
import java.util.List;

/**
 * Some points whose candidates and pairs are on the GPU at a time.
 *
 * @param first of the points
 * @param points how many
 * @param candidates of all of them
 * @param words of 32 bits, for all their pairs; 0 where stars are only counted
 * @param units that warps take
 */
record StarPiece(int first, int points, long candidates, long words, int units) {

  /** Rows of pairs that a warp takes at a time. */
  private static final int UNIT_ROWS = 64;

  /**
   * Points in pieces of about so many bytes; of a point with more, that point alone.
   *
   * @param counts of the candidates of all points
   * @param hasBits whether there is to be room for a bit of each pair
   */
  static List<StarPiece> cut(int[] counts, int first, int points, long most, boolean hasBits) {
    List<StarPiece> pieces = new ArrayList<>();
    StarPiece piece = new StarPiece(first, 0, 0, 0, 0);
    for (int point = first; point < first + points; point++) {
      StarPiece longer = piece.with(counts[point], hasBits);
      if (longer.bytes() > most && piece.points > 0) {
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

  /** Units of a point. */
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
    return points * StarScratch.PLACE_BYTES
        + candidates * StarScratch.CANDIDATE_BYTES
        + words * Integer.BYTES
        + units * StarScratch.UNIT_BYTES;
  }
}
