package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.engine.StarBatch.PairBits;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.ToLongFunction;

/** Where the parts of a piece of stars lie in each lane, on both sides of the bus. */
final class StarWorkspace {

  /** Bytes of where a point's candidates, words and units begin, and how many candidates. */
  static final long PLACE_BYTES = 24;

  /** x, y, their squares' sum and half of that. */
  private static final long CORNER_BYTES = 4 * Float.BYTES;

  /** Of a candidate: its index, what is computed from it, and its slope. */
  static final long CANDIDATE_BYTES = Integer.BYTES + CORNER_BYTES + Float.BYTES;

  static final long UNIT_BYTES = 8;

  /**
   * Pairs that may be left to the host, of a piece: none, a few thousand where points are on a
   * lattice that doubles do not hold exactly. Where there are more, the processor searches anew.
   */
  static final int DOUBTS = 1 << 16;

  /** Bytes of a pair that is left to the host, and where its numbers are. */
  private static final long DOUBT_BYTES = 5 * Integer.BYTES;

  /** Stars that were found, then how many pairs are left. */
  private static final long TOTAL_BYTES = 2 * Long.BYTES;

  private final boolean hasBits;
  private final long places;
  private final long indices;
  private final long corners;
  private final long slopes;
  private final long units;
  private final long words;
  private final long totals;
  private final long doubts;
  private final long pinnedPlaces;
  private final long pinnedIndices;
  private final long pinnedWords;
  private final long pinnedTotals;
  private final long pinnedDoubts;

  StarWorkspace(Workspace workspace, List<StarPiece> pieces, boolean hasBits, StarNumbers numbers) {
    this.hasBits = hasBits;
    long placeBytes = PLACE_BYTES * most(pieces, StarPiece::points);
    long candidates = most(pieces, StarPiece::candidates);
    long wordBytes = Integer.BYTES * most(pieces, StarPiece::words);
    long doubtBytes = numbers.leaveDoubts() ? DOUBTS * DOUBT_BYTES : 0;
    this.places = workspace.device(placeBytes);
    this.indices = workspace.device(candidates * Integer.BYTES);
    this.corners = workspace.device(candidates * CORNER_BYTES);
    this.slopes = workspace.device(candidates * Float.BYTES);
    this.units = workspace.device(UNIT_BYTES * most(pieces, StarPiece::units));
    this.words = workspace.device(wordBytes);
    this.totals = workspace.device(TOTAL_BYTES);
    this.doubts = workspace.device(doubtBytes);
    this.pinnedPlaces = workspace.pinned(placeBytes);
    this.pinnedIndices = workspace.pinned(hasBits ? candidates * Integer.BYTES : 0);
    this.pinnedWords = workspace.pinned(wordBytes);
    this.pinnedTotals = workspace.pinned(TOTAL_BYTES);
    this.pinnedDoubts = workspace.pinned(doubtBytes);
  }

  private static long most(List<StarPiece> pieces, ToLongFunction<StarPiece> what) {
    return pieces.stream().mapToLong(what).max().orElse(0);
  }

  long places(Lane lane) {
    return lane.device(places);
  }

  long indices(Lane lane) {
    return lane.device(indices);
  }

  long corners(Lane lane) {
    return lane.device(corners);
  }

  long slopes(Lane lane) {
    return lane.device(slopes);
  }

  long units(Lane lane) {
    return lane.device(units);
  }

  /** 0 where there are none. */
  long words(Lane lane) {
    return hasBits ? lane.device(words) : 0;
  }

  long stars(Lane lane) {
    return lane.device(totals);
  }

  long doubts(Lane lane) {
    return lane.device(doubts);
  }

  long doubtCount(Lane lane) {
    return lane.device(totals) + Long.BYTES;
  }

  /** Sends a piece's places, and zeros for its totals. */
  void upload(Lane lane, StarPiece piece, int[] counts) {
    long bytes = piece.points() * PLACE_BYTES;
    MemorySegment written = lane.pinned(pinnedPlaces, bytes);
    writePlaces(written, piece, counts);
    try (LanePhases.Open _ = lane.phase("upload", bytes)) {
      lane.stream().upload(written, places(lane));
      lane.stream().fill(lane.device(totals), 0, TOTAL_BYTES);
    }
  }

  private static void writePlaces(MemorySegment places, StarPiece piece, int[] counts) {
    long list = 0;
    long words = 0;
    int units = 0;
    long at = 0;
    for (int point = piece.first(); point < piece.first() + piece.points(); point++) {
      int count = counts[point];
      places.set(JAVA_LONG, at, list);
      places.set(JAVA_LONG, at + Long.BYTES, words);
      places.set(JAVA_INT, at + 2 * Long.BYTES, units);
      places.set(JAVA_INT, at + 2 * Long.BYTES + Integer.BYTES, count);
      list += count;
      words += PairBits.words(count);
      units += StarPiece.units(count);
      at += PLACE_BYTES;
    }
  }

  /** Asks for what a piece has come to. */
  void download(Lane lane, StarPiece piece) {
    long indexBytes = hasBits ? piece.candidates() * Integer.BYTES : 0;
    long wordBytes = piece.words() * Integer.BYTES;
    try (LanePhases.Open _ = lane.phase("download", indexBytes + wordBytes)) {
      lane.stream().download(lane.device(totals), lane.pinned(pinnedTotals, TOTAL_BYTES));
      download(lane, indices, pinnedIndices, indexBytes);
      download(lane, words, pinnedWords, wordBytes);
    }
  }

  private static void download(Lane lane, long from, long to, long bytes) {
    if (bytes > 0) {
      lane.stream().download(lane.device(from), lane.pinned(to, bytes));
    }
  }

  /** How many stars were found, without those that are left to the host. */
  long starsFound(Lane lane) {
    return lane.pinned(pinnedTotals, TOTAL_BYTES).get(JAVA_LONG, 0);
  }

  /** How many pairs are left to the host; more than {@link #DOUBTS} are not listed. */
  long doubtsLeft(Lane lane) {
    return lane.pinned(pinnedTotals, TOTAL_BYTES).get(JAVA_LONG, Long.BYTES);
  }

  /**
   * A pair that is left to the host: bit {@code a} of row {@code b}.
   *
   * @param point its lowest, from the piece's first on
   * @param j index of candidate a
   * @param k index of candidate b
   */
  record Doubt(int point, int a, int b, int j, int k) {}

  /** Brings the first so many of the pairs that are left, and waits for them. */
  void downloadDoubts(Lane lane, int count) {
    download(lane, doubts, pinnedDoubts, count * DOUBT_BYTES);
    lane.mark();
    lane.await();
  }

  Doubt doubt(Lane lane, int number) {
    MemorySegment ints = lane.pinned(pinnedDoubts + number * DOUBT_BYTES, DOUBT_BYTES);
    return new Doubt(
        ints.getAtIndex(JAVA_INT, 0),
        ints.getAtIndex(JAVA_INT, 1),
        ints.getAtIndex(JAVA_INT, 2),
        ints.getAtIndex(JAVA_INT, 3),
        ints.getAtIndex(JAVA_INT, 4));
  }

  /** Makes the bit of a pair 1. */
  void setBit(Lane lane, Doubt doubt) {
    long place = doubt.point() * PLACE_BYTES;
    long first = lane.pinned(pinnedPlaces + place, PLACE_BYTES).get(JAVA_LONG, Long.BYTES);
    long word = first + PairBits.words(doubt.b()) + doubt.a() / PairBits.WORD_BITS;
    MemorySegment bits = lane.pinned(pinnedWords + word * Integer.BYTES, Integer.BYTES);
    bits.set(JAVA_INT, 0, bits.get(JAVA_INT, 0) | 1 << doubt.a());
  }

  /** The piece's bits, in the lane's memory. */
  PairBits bits(Lane lane, StarPiece piece, int[] counts) {
    MemorySegment ofPoints =
        MemorySegment.ofArray(counts)
            .asSlice((long) piece.first() * Integer.BYTES, (long) piece.points() * Integer.BYTES);
    return new PairBits(
        piece.first(),
        ofPoints.asReadOnly(),
        lane.pinned(pinnedIndices, piece.candidates() * Integer.BYTES).asReadOnly(),
        lane.pinned(pinnedWords, piece.words() * Integer.BYTES).asReadOnly());
  }
}
