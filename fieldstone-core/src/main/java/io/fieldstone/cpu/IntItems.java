package io.fieldstone.cpu;

import static io.fieldstone.cpu.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Keys of 32 bits and nothing else. */
final class IntItems extends SortItems {

  private static final long LOW_32 = 0xFFFF_FFFFL;

  private static final int MOST_PLAIN = 6000;

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
  int mostPlain() {
    return MOST_PLAIN;
  }

  @Override
  void sortPlain(long address, int count) {
    int[] keys = new int[count];
    MemorySegment.copy(MEMORY, JAVA_INT_UNALIGNED, address, keys, 0, count);
    int signed = flipped ^ Integer.MIN_VALUE;
    flip(keys, signed);
    Arrays.sort(keys);
    flip(keys, signed);
    MemorySegment.copy(keys, 0, MEMORY, JAVA_INT_UNALIGNED, address, count);
  }

  private static void flip(int[] keys, int bits) {
    for (int i = 0; bits != 0 && i < keys.length; i++) {
      keys[i] ^= bits;
    }
  }

  @Override
  void exchange(long address, long other) {
    int item = MEMORY.get(JAVA_INT_UNALIGNED, address);
    MEMORY.set(JAVA_INT_UNALIGNED, address, MEMORY.get(JAVA_INT_UNALIGNED, other));
    MEMORY.set(JAVA_INT_UNALIGNED, other, item);
  }

  @Override
  int inOrder(long address, int items, boolean reversed) {
    int before = MEMORY.get(JAVA_INT_UNALIGNED, address) ^ flipped;
    for (int i = 1; i < items; i++) {
      int key = MEMORY.get(JAVA_INT_UNALIGNED, address + bytes(i)) ^ flipped;
      int order = Integer.compareUnsigned(key, before);
      if (reversed ? order >= 0 : order < 0) {
        return i;
      }
      before = key;
    }
    return items;
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
