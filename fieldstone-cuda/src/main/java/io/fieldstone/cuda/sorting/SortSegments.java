package io.fieldstone.cuda.sorting;

/**
 * The items of neighbouring values of a digit, those of each value a segment: what is left to be
 * done is to sort each by the lower digits, all of them at once.
 *
 * @param table address of the first one's {@code struct SortSegment}
 * @param values of the digit
 * @param tiles of {@code sort_pass} that they make, each segment whole ones and a last
 * @param digits lower ones
 * @param room address of {@link #roomBytes}: counts of the digits of each segment, then states of
 *     tiles for each digit
 */
record SortSegments(long table, Bucket.Values values, int tiles, int digits, long room) {

  /** A {@code struct SortSegment}. */
  private static final int ENTRY_BYTES = 2 * Long.BYTES;

  /** One for each value of a digit, and one for the end of the last. */
  static final int TABLE_BYTES = (SortKernels.VALUES + 1) * ENTRY_BYTES;

  /** Of a digit, in a segment, and the states of a tile. */
  private static final long DIGIT_BYTES = SortKernels.VALUES * Integer.BYTES;

  /** Those of some values, of a table that begins with value 0. */
  static SortSegments of(long wholeTable, Bucket.Values values, int tiles, int digits, long room) {
    long first = wholeTable + (long) ENTRY_BYTES * values.first();
    return new SortSegments(first, values, tiles, digits, room);
  }

  /** Tiles of so many items each, of segments of so many items. */
  static int tiles(long[] counts, int from, int end, int tile) {
    long tiles = 0;
    for (int i = from; i < end; i++) {
      tiles += Math.ceilDiv(counts[i], tile);
    }
    return Math.toIntExact(tiles);
  }

  int count() {
    return values.end() - values.first();
  }

  /** Numbers from the counts of a segment to those of the next. */
  int stride() {
    return digits * SortKernels.VALUES;
  }

  /** Address of the counts of a digit, in the first segment. */
  long counts(int digit) {
    return room + digit * DIGIT_BYTES;
  }

  /** Address of the states for a digit. */
  long states(int digit) {
    return counts(digits * count()) + digit * stateBytes();
  }

  private long stateBytes() {
    return (1L + tiles) * DIGIT_BYTES;
  }

  /** Bytes that have to be zeros before segments are collected. */
  long roomBytes() {
    return digits * (count() * DIGIT_BYTES + stateBytes());
  }
}
