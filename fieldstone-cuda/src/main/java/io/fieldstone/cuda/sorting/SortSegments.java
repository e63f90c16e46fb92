package io.fieldstone.cuda.sorting;

/**
 * A segmented sort: the items of each bin of a digit are a segment, and all segments are sorted by
 * the lower digits at once.
 *
 * @param table address of the {@code struct SortSegment} of the first bin
 * @param bins of the digit
 * @param tiles of all segments; each segment begins with a tile of its own
 * @param digits number of lower digits
 * @param storage address of {@link #storageBytes}: the histograms of each segment, then the
 *     look-back state of each digit
 */
record SortSegments(long table, Bucket.Bins bins, int tiles, int digits, long storage) {

  /**
   * A {@code struct SortSegment}, which ends where the next one begins.
   *
   * @param first index of its first item
   * @param firstTile index of its first tile
   */
  record Entry(long first, long firstTile) {

    /** Size of the struct. */
    static final int BYTES = 2 * Long.BYTES;
  }

  /** Size of the table: an entry for each bin, and one for the end of the last. */
  static final int TABLE_BYTES = (SortKernels.RADIX_DIGITS + 1) * Entry.BYTES;

  /** Size of the histogram of a digit in a segment, and of the look-back state of a tile. */
  private static final long DIGIT_BYTES = SortKernels.RADIX_DIGITS * Integer.BYTES;

  /**
   * Returns the segments of some bins.
   *
   * @param wholeTable address of the entry of bin 0
   */
  static SortSegments of(long wholeTable, Bucket.Bins bins, int tiles, int digits, long storage) {
    long first = wholeTable + (long) Entry.BYTES * bins.first();
    return new SortSegments(first, bins, tiles, digits, storage);
  }

  /** Returns the number of tiles of the segments {@code from} … {@code end − 1}. */
  static int tiles(long[] histogram, int from, int end, int tileItems) {
    long tiles = 0;
    for (int i = from; i < end; i++) {
      tiles += Math.ceilDiv(histogram[i], tileItems);
    }
    return Math.toIntExact(tiles);
  }

  int count() {
    return bins.end() - bins.first();
  }

  /** Returns the distance between the histograms of successive segments, in counters. */
  int stride() {
    return digits * SortKernels.RADIX_DIGITS;
  }

  /** Returns the address of the histogram of a digit, in the first segment. */
  long histogram(int digit) {
    return storage + digit * DIGIT_BYTES;
  }

  /** Returns the address of the look-back state of a digit. */
  long lookback(int digit) {
    return histogram(digits * count()) + digit * lookbackBytes();
  }

  private long lookbackBytes() {
    return (1L + tiles) * DIGIT_BYTES;
  }

  /** Returns the size of the storage, which must be zero before segments are collected. */
  long storageBytes() {
    return digits * (count() * DIGIT_BYTES + lookbackBytes());
  }
}
