package io.fieldstone.cpu.sorting;

/**
 * Sorts items that lie in cache, on one core: by digits from the least significant on (LSD), of
 * which only the ones that decide are looked at.
 *
 * <p>Of n keys, those that agree in 2·log n leading bits are few unless they agree in all. So two
 * digits at the top of where keys differ are scattered by, or a few more if the first tells little,
 * and insertion puts in order what they have not; if that turns out to be much, all digits are
 * scattered by.
 */
final class RunSort {

  /** Fewer are put in order by insertion alone. */
  private static final int FEW_ITEMS = 40;

  /** Heads of more values, and the lines they point to, are not in the first-level cache. */
  private static final int MAX_DIGIT_BITS = 11;

  private static final int MIN_DIGIT_BITS = 5;

  /** A digit has so many bits less than a count of items: counting values must not dominate. */
  private static final int SPARE_BITS = 3;

  private static final int MIN_DIGITS = 2;

  /** Keys that may be left alike with each, on average, in the digits scattered by. */
  private static final double OTHERS_BY_INSERTION = 1;

  /** Items that are looked at to see how much the first digit tells. */
  private static final int SAMPLES = 32;

  /** Insertions worth the digits that they save: about one comparison an item. */
  private static final int MOVES_PER_ITEM = 2;

  private final ItemOps items;

  RunSort(ItemOps items) {
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
            MIN_DIGIT_BITS,
            MAX_DIGIT_BITS);
    int least = Long.numberOfTrailingZeros(differing);
    int top = Long.SIZE - Long.numberOfLeadingZeros(differing);
    int digits = digitsBeforeInsertion(run, count, top, digitBits);
    boolean areNearlyAll = top - least <= digits * (digitBits + 1);
    int low = areNearlyAll ? least : top - digits * digitBits;
    int passes = Math.min(digits, Math.ceilDiv(top - low, digitBits));
    long sorted = sortDigits(run, other, count, differing, low, passes);
    if (low == least || items.insert(sorted, count, (long) count * MOVES_PER_ITEM)) {
      return sorted;
    }
    long free = sorted == run ? other : run;
    return sortDigits(sorted, free, count, differing, least, Math.ceilDiv(top - least, digitBits));
  }

  /**
   * How many digits from the top leave each key alone with few others. How often two keys agree in
   * the first is seen from some, as floating-point numbers do in their exponents; in the others
   * they are taken to agree by chance only.
   */
  private int digitsBeforeInsertion(long run, int count, int top, int digitBits) {
    long[] digits = new long[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
      digits[i] = items.key(run + items.bytes((long) i * count / SAMPLES)) << (Long.SIZE - top);
    }
    int alike = 0;
    for (int i = 0; i < SAMPLES; i++) {
      for (int j = 0; j < i; j++) {
        alike += (digits[i] ^ digits[j]) >>> (Long.SIZE - digitBits) == 0 ? 1 : 0;
      }
    }
    double others = (double) count * alike / (SAMPLES * (SAMPLES - 1) / 2);
    int more = 1;
    for (; others > OTHERS_BY_INSERTION; others /= 1 << digitBits) {
      more++;
    }
    return Math.max(MIN_DIGITS, more);
  }

  /** Sorts by the bits that differ from {@code low} on, in so many digits of equal width. */
  private long sortDigits(long run, long other, int count, long differing, int low, int passes) {
    int top = Long.SIZE - Long.numberOfLeadingZeros(differing);
    long from = run;
    long to = other;
    int shift = low;
    for (int pass = 0; pass < passes; pass++) {
      int bits = Math.ceilDiv(top - shift, passes - pass);
      long[] heads = new long[1 << bits];
      if ((differing >>> shift & (heads.length - 1)) != 0) {
        items.count(from, count, shift, heads);
        items.exclusiveScan(heads, to);
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
