package io.fieldstone.cpu.sorting;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.invoke.VarHandle;

/**
 * Items of 32 bits.
 *
 * <p>The fences compile to no instruction. They keep the compiler from loading sixteen items ahead
 * of the stores between them, for which it lacks registers.
 *
 * @param start index of the first item in the array item in the array
 */
@SuppressWarnings("ArrayRecordComponent")
public // The caller's, and only read.
record IntArrayItems(int[] array, int start, int flips) implements ArrayItems {

  @Override
  public void count(int first, int items, int shift, long[] counts) {
    int mask = counts.length - 1;
    int[] from = array;
    int flipped = flips;
    for (int i = start + first, end = i + items; i < end; i++) {
      counts[(from[i] ^ flipped) >>> shift & mask]++;
      VarHandle.loadLoadFence();
    }
  }

  @Override
  public void scatterWithin(int first, int items, int shift, long[] heads, long last) {
    int mask = heads.length - 1;
    int[] from = array;
    int flipped = flips;
    for (int i = start + first, end = i + items; i < end; i++) {
      int item = from[i] ^ flipped;
      int digit = item >>> shift & mask;
      long head = heads[digit];
      heads[digit] = head + Integer.BYTES;
      MEMORY.set(JAVA_INT_UNALIGNED, ItemOps.requireWithin(head, last), item);
      VarHandle.loadLoadFence();
    }
  }
}
