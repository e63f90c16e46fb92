package io.fieldstone.cpu;

import static io.fieldstone.cpu.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/** Keys of 32 bits and nothing else. */
final class IntItems extends SortItems {

  private static final long LOW_32 = 0xFFFF_FFFFL;

  private final int flipped;

  /**
   * Items.
   *
   * @param flipped bits of a key to flip before comparing
   */
  IntItems(long flipped) {
    super(2, Integer.SIZE, flipped);
    this.flipped = (int) flipped;
  }

  @Override
  long key(long address) {
    return MEMORY.get(JAVA_INT_UNALIGNED, address) & LOW_32;
  }

  @Override
  long differing(long address, int items, long key) {
    long keys = key << Integer.SIZE | key;
    long last = address + bytes(items - 1);
    long differing = key(last) ^ key;
    for (long at = address; at < last; at += Long.BYTES) {
      differing |= MEMORY.get(JAVA_LONG_UNALIGNED, at) ^ keys;
    }
    return (differing | differing >>> Integer.SIZE) & LOW_32;
  }

  @Override
  void count(long address, int items, int shift, int[] counts) {
    int mask = counts.length - 1;
    for (long at = address, end = address + bytes(items); at < end; at += Integer.BYTES) {
      counts[MEMORY.get(JAVA_INT_UNALIGNED, at) >>> shift & mask]++;
    }
  }

  @Override
  void scatter(long address, int items, int shift, long[] heads) {
    int mask = heads.length - 1;
    for (long at = address, end = address + bytes(items); at < end; at += Integer.BYTES) {
      int item = MEMORY.get(JAVA_INT_UNALIGNED, at);
      int digit = item >>> shift & mask;
      long head = heads[digit];
      heads[digit] = head + Integer.BYTES;
      MEMORY.set(JAVA_INT_UNALIGNED, head, item);
    }
  }

  @Override
  void scatter(long address, int items, int shift, DigitBuffers buffers) {
    long[] heads = buffers.heads();
    int mask = heads.length - 1;
    for (long at = address, end = address + bytes(items); at < end; at += Integer.BYTES) {
      int item = MEMORY.get(JAVA_INT_UNALIGNED, at);
      int digit = item >>> shift & mask;
      long head = heads[digit];
      MEMORY.set(JAVA_INT_UNALIGNED, head, item);
      head += Integer.BYTES;
      heads[digit] = (head & DigitBuffers.OFFSET_MASK) == 0 ? buffers.empty(digit, head) : head;
    }
  }

  @Override
  boolean insert(long address, int items, long mostMoves) {
    long moves = 0;
    int before = MEMORY.get(JAVA_INT_UNALIGNED, address) ^ flipped;
    long end = address + bytes(items);
    for (long at = address + Integer.BYTES; at < end; at += Integer.BYTES) {
      int item = MEMORY.get(JAVA_INT_UNALIGNED, at) ^ flipped;
      if (Integer.compareUnsigned(item, before) >= 0) {
        before = item;
        continue;
      }
      long hole = at;
      int greater = before;
      do {
        MEMORY.set(JAVA_INT_UNALIGNED, hole, greater ^ flipped);
        hole -= Integer.BYTES;
        // Nothing is less than 0: it ends the loop at the first item.
        greater =
            hole > address ? MEMORY.get(JAVA_INT_UNALIGNED, hole - Integer.BYTES) ^ flipped : 0;
      } while (Integer.compareUnsigned(item, greater) < 0);
      MEMORY.set(JAVA_INT_UNALIGNED, hole, item ^ flipped);
      moves += items(at - hole);
      if (moves > mostMoves) {
        return false;
      }
    }
    return true;
  }
}
