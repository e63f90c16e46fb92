package io.fieldstone.cuda.stars;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import io.fieldstone.engine.stars.StarBatch.PairBits;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.ToLongFunction;

/** Where the parts of a piece of stars lie in each lane, on both sides of the bus. */
final class StarScratch {

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

  StarScratch(ScratchLayout scratch, List<StarPiece> pieces, boolean hasBits, Precision numbers) {
    this.hasBits = hasBits;
    long placeBytes = PLACE_BYTES * most(pieces, StarPiece::points);
    long candidates = most(pieces, StarPiece::candidates);
    long wordBytes = Integer.BYTES * most(pieces, StarPiece::words);
    long doubtBytes = numbers.leaveDoubts() ? DOUBTS * DOUBT_BYTES : 0;
    this.places = scratch.device(placeBytes);
    this.indices = scratch.device(candidates * Integer.BYTES);
    this.corners = scratch.device(candidates * CORNER_BYTES);
    this.slopes = scratch.device(candidates * Float.BYTES);
    this.units = scratch.device(UNIT_BYTES * most(pieces, StarPiece::units));
    this.words = scratch.device(wordBytes);
    this.totals = scratch.device(TOTAL_BYTES);
    this.doubts = scratch.device(doubtBytes);
    this.pinnedPlaces = scratch.pinned(placeBytes);
    this.pinnedIndices = scratch.pinned(hasBits ? candidates * Integer.BYTES : 0);
    this.pinnedWords = scratch.pinned(wordBytes);
    this.pinnedTotals = scratch.pinned(TOTAL_BYTES);
    this.pinnedDoubts = scratch.pinned(doubtBytes);
  }

  private static long most(List<StarPiece> pieces, ToLongFunction<StarPiece> what) {
    return pieces.stream().mapToLong(what).max().orElse(0);
  }

  long places(StreamSlot slot) {
    return slot.device(places);
  }

  long indices(StreamSlot slot) {
    return slot.device(indices);
  }

  long corners(StreamSlot slot) {
    return slot.device(corners);
  }

  long slopes(StreamSlot slot) {
    return slot.device(slopes);
  }

  long units(StreamSlot slot) {
    return slot.device(units);
  }

  /** 0 where there are none. */
  long words(StreamSlot slot) {
    return hasBits ? slot.device(words) : 0;
  }

  long stars(StreamSlot slot) {
    return slot.device(totals);
  }

  long doubts(StreamSlot slot) {
    return slot.device(doubts);
  }

  long doubtCount(StreamSlot slot) {
    return slot.device(totals) + Long.BYTES;
  }

  /** Sends a piece's places, and zeros for its totals. */
  void upload(StreamSlot slot, StarPiece piece, int[] counts) {
    long bytes = piece.points() * PLACE_BYTES;
    MemorySegment written = slot.pinned(pinnedPlaces, bytes);
    writePlaces(written, piece, counts);
    try (StreamTrace.Open _ = slot.phase("upload", bytes)) {
      slot.stream().upload(written, places(slot));
      slot.stream().fill(slot.device(totals), 0, TOTAL_BYTES);
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
  void download(StreamSlot slot, StarPiece piece) {
    long indexBytes = hasBits ? piece.candidates() * Integer.BYTES : 0;
    long wordBytes = piece.words() * Integer.BYTES;
    try (StreamTrace.Open _ = slot.phase("download", indexBytes + wordBytes)) {
      slot.stream().download(slot.device(totals), slot.pinned(pinnedTotals, TOTAL_BYTES));
      download(slot, indices, pinnedIndices, indexBytes);
      download(slot, words, pinnedWords, wordBytes);
    }
  }

  private static void download(StreamSlot slot, long from, long to, long bytes) {
    if (bytes > 0) {
      slot.stream().download(slot.device(from), slot.pinned(to, bytes));
    }
  }

  /** How many stars were found, without those that are left to the host. */
  long starsFound(StreamSlot slot) {
    return slot.pinned(pinnedTotals, TOTAL_BYTES).get(JAVA_LONG, 0);
  }

  /** How many pairs are left to the host; more than {@link #DOUBTS} are not listed. */
  long doubtsLeft(StreamSlot slot) {
    return slot.pinned(pinnedTotals, TOTAL_BYTES).get(JAVA_LONG, Long.BYTES);
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
  void downloadDoubts(StreamSlot slot, int count) {
    download(slot, doubts, pinnedDoubts, count * DOUBT_BYTES);
    slot.mark();
    slot.await();
  }

  Doubt doubt(StreamSlot slot, int number) {
    MemorySegment ints = slot.pinned(pinnedDoubts + number * DOUBT_BYTES, DOUBT_BYTES);
    return new Doubt(
        ints.getAtIndex(JAVA_INT, 0),
        ints.getAtIndex(JAVA_INT, 1),
        ints.getAtIndex(JAVA_INT, 2),
        ints.getAtIndex(JAVA_INT, 3),
        ints.getAtIndex(JAVA_INT, 4));
  }

  /** Makes the bit of a pair 1. */
  void setBit(StreamSlot slot, Doubt doubt) {
    long place = doubt.point() * PLACE_BYTES;
    long first = slot.pinned(pinnedPlaces + place, PLACE_BYTES).get(JAVA_LONG, Long.BYTES);
    long word = first + PairBits.words(doubt.b()) + doubt.a() / PairBits.WORD_BITS;
    MemorySegment bits = slot.pinned(pinnedWords + word * Integer.BYTES, Integer.BYTES);
    bits.set(JAVA_INT, 0, bits.get(JAVA_INT, 0) | 1 << doubt.a());
  }

  /** The piece's bits, in the lane's memory. */
  PairBits bits(StreamSlot slot, StarPiece piece, int[] counts) {
    MemorySegment ofPoints =
        MemorySegment.ofArray(counts)
            .asSlice((long) piece.first() * Integer.BYTES, (long) piece.points() * Integer.BYTES);
    return new PairBits(
        piece.first(),
        ofPoints.asReadOnly(),
        slot.pinned(pinnedIndices, piece.candidates() * Integer.BYTES).asReadOnly(),
        slot.pinned(pinnedWords, piece.words() * Integer.BYTES).asReadOnly());
  }
}
