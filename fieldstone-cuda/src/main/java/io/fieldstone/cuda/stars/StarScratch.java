package io.fieldstone.cuda.stars;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import io.fieldstone.cuda.stars.StarArguments.Place;
import io.fieldstone.cuda.stars.StarArguments.Undecided;
import io.fieldstone.cuda.stars.StarArguments.Unit;
import io.fieldstone.engine.stars.StarBatch.PairBits;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.ToLongFunction;

/** The scratch memory of a piece in each slot, in device and pinned memory. */
final class StarScratch {

  /** Size of x, y, x² + y² and half of that. */
  private static final long CORNER_BYTES = 4 * Float.BYTES;

  /** Size of the data of a candidate: its index, corner and slope. */
  static final long CANDIDATE_BYTES = Integer.BYTES + CORNER_BYTES + Float.BYTES;

  /**
   * Maximum number of undecided pairs of a piece. Usually there are none, and a few thousand if
   * points are on a lattice that doubles do not represent exactly.
   */
  static final int MAX_UNDECIDED = 1 << 16;

  /** Size of the totals: the stars found, then the undecided pairs. */
  private static final long TOTAL_BYTES = 2 * Long.BYTES;

  private final boolean hasBits;
  private final long places;
  private final long indices;
  private final long corners;
  private final long slopes;
  private final long units;
  private final long words;
  private final long totals;
  private final long undecided;
  private final long pinnedPlaces;
  private final long pinnedIndices;
  private final long pinnedWords;
  private final long pinnedTotals;
  private final long pinnedUndecided;

  StarScratch(ScratchLayout scratch, List<StarPiece> pieces, boolean hasBits, Precision precision) {
    this.hasBits = hasBits;
    long placeBytes = Place.BYTES * max(pieces, StarPiece::points);
    long candidates = max(pieces, StarPiece::candidates);
    long wordBytes = Integer.BYTES * max(pieces, StarPiece::words);
    long undecidedBytes = precision.needsHost() ? MAX_UNDECIDED * Undecided.BYTES : 0;
    this.places = scratch.device(placeBytes);
    this.indices = scratch.device(candidates * Integer.BYTES);
    this.corners = scratch.device(candidates * CORNER_BYTES);
    this.slopes = scratch.device(candidates * Float.BYTES);
    this.units = scratch.device(Unit.BYTES * max(pieces, StarPiece::units));
    this.words = scratch.device(wordBytes);
    this.totals = scratch.device(TOTAL_BYTES);
    this.undecided = scratch.device(undecidedBytes);
    this.pinnedPlaces = scratch.pinned(placeBytes);
    this.pinnedIndices = scratch.pinned(hasBits ? candidates * Integer.BYTES : 0);
    this.pinnedWords = scratch.pinned(wordBytes);
    this.pinnedTotals = scratch.pinned(TOTAL_BYTES);
    this.pinnedUndecided = scratch.pinned(undecidedBytes);
  }

  private static long max(List<StarPiece> pieces, ToLongFunction<StarPiece> size) {
    return pieces.stream().mapToLong(size).max().orElse(0);
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

  /** Returns the address of the bits; 0 if stars are only counted. */
  long words(StreamSlot slot) {
    return hasBits ? slot.device(words) : 0;
  }

  long stars(StreamSlot slot) {
    return slot.device(totals);
  }

  long undecided(StreamSlot slot) {
    return slot.device(undecided);
  }

  long undecidedCount(StreamSlot slot) {
    return slot.device(totals) + Long.BYTES;
  }

  /** Enqueues the upload of the places of a piece, and clears the totals. */
  void upload(StreamSlot slot, StarPiece piece, int[] counts) {
    long bytes = piece.points() * Place.BYTES;
    MemorySegment staging = slot.pinned(pinnedPlaces, bytes);
    writePlaces(staging, piece, counts);
    try (StreamTrace.Open _ = slot.phase("upload", bytes)) {
      slot.stream().upload(staging, places(slot));
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
      new Place(list, words, units, count).write(places.asSlice(at, Place.BYTES));
      list += count;
      words += PairBits.words(count);
      units += StarPiece.units(count);
      at += Place.BYTES;
    }
  }

  /** Enqueues the download of the results of a piece. */
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

  /** Returns the number of stars found, without those among undecided pairs. */
  long starsFound(StreamSlot slot) {
    return slot.pinned(pinnedTotals, TOTAL_BYTES).get(JAVA_LONG, 0);
  }

  /** Returns the number of undecided pairs, of which {@link #MAX_UNDECIDED} are listed. */
  long undecidedPairs(StreamSlot slot) {
    return slot.pinned(pinnedTotals, TOTAL_BYTES).get(JAVA_LONG, Long.BYTES);
  }

  /** Downloads the first {@code count} undecided pairs and waits for them. */
  void downloadUndecided(StreamSlot slot, int count) {
    download(slot, undecided, pinnedUndecided, count * Undecided.BYTES);
    slot.mark();
    slot.await();
  }

  /** Returns an undecided pair that has been downloaded. */
  Undecided undecidedPair(StreamSlot slot, int number) {
    return Undecided.read(slot.pinned(pinnedUndecided + number * Undecided.BYTES, Undecided.BYTES));
  }

  /** Sets the bit of a pair. */
  void setBit(StreamSlot slot, Undecided pair) {
    long offset = pair.point() * Place.BYTES;
    long firstWord = Place.words(slot.pinned(pinnedPlaces + offset, Place.BYTES));
    long word = firstWord + PairBits.words(pair.b()) + pair.a() / PairBits.WORD_BITS;
    MemorySegment bits = slot.pinned(pinnedWords + word * Integer.BYTES, Integer.BYTES);
    bits.set(JAVA_INT, 0, bits.get(JAVA_INT, 0) | 1 << pair.a());
  }

  /** Returns the bits of a piece, in the memory of the slot. */
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
