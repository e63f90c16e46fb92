package io.fieldstone.cpu;

/**
 * Sorts items that lie in cache, on one core: by digits from the least significant on (LSD), of
 * which only the ones that decide are looked at.
 *
 * <p>Of n keys, those that agree in 2·log n leading bits are few unless they agree in all. So no
 * more than two digits at the top of where keys differ are scattered by, and insertion puts in
 * order what they have not; if that turns out to be much, all other digits are scattered by.
 */
final class RunSort {

  /** Fewer are put in order by insertion alone. */
  private static final int FEW_ITEMS = 40;

  /** Heads of more values, and the lines they point to, are not in the first-level cache. */
  private static final int MOST_DIGIT_BITS = 11;

  private static final int LEAST_DIGIT_BITS = 5;

  /** A digit has so many bits less than a count of items: counting values must not dominate. */
  private static final int SPARE_BITS = 3;

  private static final int DIGITS_BEFORE_INSERTION = 2;

  /** Insertions worth the digits that they save: about one comparison an item. */
  private static final int MOVES_PER_ITEM = 2;

  private final SortItems items;

  RunSort(SortItems items) {
    this.items = items;
  }

  /**
   * Sorts.
   *
   * @param run where the items are
   * @param other memory for as many
   * @return where they are then: one of the two
   */
  long sort(long run, long other, int count) {
    if (count <= FEW_ITEMS) {
      if (count > 1) {
        items.insert(run, count, Long.MAX_VALUE);
      }
      return run;
    }
    long differing = items.differing(run, count, items.key(run));
    if (differing == 0) {
      return run;
    }
    int digitBits =
        Math.clamp(
            Integer.SIZE - Integer.numberOfLeadingZeros(count) - SPARE_BITS,
            LEAST_DIGIT_BITS,
            MOST_DIGIT_BITS);
    int least = Long.numberOfTrailingZeros(differing);
    int top = Long.SIZE - Long.numberOfLeadingZeros(differing);
    int low = Math.max(least, top - DIGITS_BEFORE_INSERTION * digitBits);
    long sorted = sortDigits(run, other, count, differing, low, digitBits);
    if (low == least || items.insert(sorted, count, (long) count * MOVES_PER_ITEM)) {
      return sorted;
    }
    long free = sorted == run ? other : run;
    return sortDigits(sorted, free, count, differing, least, digitBits);
  }

  /** Sorts by the bits that differ from {@code low} on, in digits of equal width. */
  private long sortDigits(long run, long other, int count, long differing, int low, int digitBits) {
    int top = Long.SIZE - Long.numberOfLeadingZeros(differing);
    int passes = Math.ceilDiv(top - low, digitBits);
    long from = run;
    long to = other;
    int shift = low;
    for (int pass = 0; pass < passes; pass++) {
      int bits = Math.ceilDiv(top - shift, passes - pass);
      long[] heads = new long[1 << bits];
      if ((differing >>> shift & (heads.length - 1)) != 0) {
        items.count(from, count, shift, heads);
        items.makeHeads(heads, to);
        items.scatter(from, count, shift, heads);
        long swapped = from;
        from = to;
        to = swapped;
      }
      shift += bits;
    }
    return from;
  }
}
