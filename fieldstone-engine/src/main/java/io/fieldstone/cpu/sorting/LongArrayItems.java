package io.fieldstone.cpu.sorting;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/**
 * Items of 64 bits.
 *
 * @param start index of the first item in the array item in the array
 */
@SuppressWarnings("ArrayRecordComponent")
public // The caller's, and only read.
record LongArrayItems(long[] array, int start, long flips) implements ArrayItems {

  @Override
  public void count(int first, int items, int shift, long[] counts) {
    int mask = counts.length - 1;
    long[] from = array;
    long flipped = flips;
    for (int i = start + first, end = i + items; i < end; i++) {
      counts[(int) ((from[i] ^ flipped) >>> shift) & mask]++;
    }
  }

  @Override
  public void scatterWithin(int first, int items, int shift, long[] heads, long last) {
    int mask = heads.length - 1;
    long[] from = array;
    long flipped = flips;
    for (int i = start + first, end = i + items; i < end; i++) {
      long item = from[i] ^ flipped;
      int digit = (int) (item >>> shift) & mask;
      long head = heads[digit];
      heads[digit] = head + Long.BYTES;
      MEMORY.set(JAVA_LONG_UNALIGNED, ItemOps.requireWithin(head, last), item);
    }
  }
}
