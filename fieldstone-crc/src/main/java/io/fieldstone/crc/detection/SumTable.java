package io.fieldstone.crc.detection;

/** A hash table of nonzero sums and the highest exponent of each, with a filter before it. */
final class SumTable {

  private static final int FIRST_BITS = 10;
  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  /** A filter has so many bits for each slot of the table. */
  private static final int FILTER_BITS = 3;

  private int bits = FIRST_BITS;
  private long[] sums = new long[1 << bits];
  private int[] exponents = new int[1 << bits];
  private int size;
  private long[] filter = new long[1];
  private int filterShift = Long.SIZE - 1;

  /** Adds a sum that is not in the table. */
  void put(long sum, int exponent) {
    if (2 * size >= sums.length) {
      grow();
    }
    insert(sum, exponent);
    size++;
  }

  private void insert(long sum, int exponent) {
    int mask = sums.length - 1;
    int slot = (int) (sum * MIX >>> Long.SIZE - bits);
    while (sums[slot] != 0) {
      slot = slot + 1 & mask;
    }
    sums[slot] = sum;
    exponents[slot] = exponent;
  }

  private void grow() {
    long[] oldSums = sums;
    int[] oldExponents = exponents;
    bits++;
    sums = new long[1 << bits];
    exponents = new int[1 << bits];
    for (int i = 0; i < oldSums.length; i++) {
      if (oldSums[i] != 0) {
        insert(oldSums[i], oldExponents[i]);
      }
    }
  }

  /** Prepares the filter; then several threads may ask. */
  void seal() {
    int filterBits = bits + FILTER_BITS;
    filter = new long[1 << filterBits - 6];
    filterShift = Long.SIZE - filterBits;
    for (long sum : sums) {
      if (sum != 0) {
        int bit = (int) (sum * MIX >>> filterShift);
        filter[bit >>> 6] |= 1L << bit;
      }
    }
  }

  /** Returns false only if a sum is not in the table. */
  boolean mayHave(long sum) {
    int bit = (int) (sum * MIX >>> filterShift);
    return (filter[bit >>> 6] >>> bit & 1) != 0;
  }

  /** Returns the exponent of a sum; −1 if it is not in the table. */
  int get(long sum) {
    int slot = (int) (sum * MIX >>> Long.SIZE - bits);
    while (sums[slot] != 0) {
      if (sums[slot] == sum) {
        return exponents[slot];
      }
      slot = slot + 1 & sums.length - 1;
    }
    return -1;
  }
}
