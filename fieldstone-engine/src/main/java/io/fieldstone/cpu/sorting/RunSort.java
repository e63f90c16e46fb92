package io.fieldstone.cpu.sorting;

/**
 * Sorts items that fit into cache on one core, by digits from the least significant on (LSD). Only
 * the digits that distinguish keys are processed.
 *
 * <p>Of n random keys, few agree in 2·log n leading bits. So the items are scattered by the two
 * highest digits that vary, or a few more if the first is skewed, and insertion completes the
 * order. If insertion takes too many moves, the items are scattered by all digits.
 */
final class RunSort {

  /** Maximum number of items that are sorted by insertion alone. */
  private static final int MAX_INSERTION_ITEMS = 40;

  /**
   * Maximum bits of a digit: heads of more values, and their lines, exceed the first-level cache.
   */
  private static final int MAX_DIGIT_BITS = 11;

  private static final int MIN_DIGIT_BITS = 5;

  /** Difference of the bits of the item count and of a digit: counting must not dominate. */
  private static final int SPARE_BITS = 3;

  private static final int MIN_DIGITS = 2;

  /** Maximum mean number of other keys that agree with a key in all processed digits. */
  private static final double MAX_EQUAL_PREFIXES = 1;

  /** Items sampled to estimate how often keys agree in the first digit. */
  private static final int SAMPLES = 32;

  /** Maximum insertion moves per item: the digits saved cost about one comparison per item. */
  private static final int MOVES_PER_ITEM = 2;

  private final ItemOps items;

  RunSort(ItemOps items) {
    this.items = items;
  }

  /**
   * Sorts items.
   *
   * @param run address of the items
   * @param other address of a buffer of the same size
   * @return address of the sorted items: one of the two
   */
  long sort(long run, long other, int count) {
    if (count <= MAX_INSERTION_ITEMS) {
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
    int min = Long.numberOfTrailingZeros(differing);
    int top = Long.SIZE - Long.numberOfLeadingZeros(differing);
    int digits = digitsBeforeInsertion(run, count, top, digitBits);
    boolean areNearlyAll = top - min <= digits * (digitBits + 1);
    int low = areNearlyAll ? min : top - digits * digitBits;
    int passes = Math.min(digits, Math.ceilDiv(top - low, digitBits));
    long sorted = sortDigits(run, other, count, differing, low, passes);
    if (low == min || items.insert(sorted, count, (long) count * MOVES_PER_ITEM)) {
      return sorted;
    }
    long free = sorted == run ? other : run;
    return sortDigits(sorted, free, count, differing, min, Math.ceilDiv(top - min, digitBits));
  }

  /**
   * Returns the number of highest digits after which few keys agree. The frequency of agreement in
   * the first digit is estimated from samples, since floating-point numbers often share exponents.
   * The other digits are assumed to be uniform.
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
    for (; others > MAX_EQUAL_PREFIXES; others /= 1 << digitBits) {
      more++;
    }
    return Math.max(MIN_DIGITS, more);
  }

  /** Sorts by the varying bits from {@code low} on, in {@code passes} digits of equal width. */
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
