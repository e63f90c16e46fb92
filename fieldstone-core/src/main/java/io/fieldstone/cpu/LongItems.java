package io.fieldstone.cpu;

import static io.fieldstone.cpu.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Keys of 64 bits and nothing else, or of 32 bits with as many above them. */
final class LongItems extends SortItems {

  private static final int MOST_PLAIN = 6000;

  private final long keyMask;
  private final long flipped;

  /**
   * Items.
   *
   * @param keyBits 32 or 64
   * @param flipped bits of a key to flip before comparing
   */
  LongItems(int keyBits, long flipped) {
    super(3, keyBits, flipped);
    this.flipped = flipped;
    this.keyMask = -1L >>> (Long.SIZE - keyBits);
  }

  @Override
  long key(long address) {
    return MEMORY.get(JAVA_LONG_UNALIGNED, address) & keyMask;
  }

  @Override
  int mostPlain() {
    return keyBits() == Long.SIZE ? MOST_PLAIN : 0;
  }

  @Override
  void sortPlain(long address, int count) {
    long[] keys = new long[count];
    MemorySegment.copy(MEMORY, JAVA_LONG_UNALIGNED, address, keys, 0, count);
    long signed = flipped ^ Long.MIN_VALUE;
    flip(keys, signed);
    Arrays.sort(keys);
    flip(keys, signed);
    MemorySegment.copy(keys, 0, MEMORY, JAVA_LONG_UNALIGNED, address, count);
  }

  private static void flip(long[] keys, long bits) {
    for (int i = 0; bits != 0 && i < keys.length; i++) {
      keys[i] ^= bits;
    }
  }

  @Override
  void exchange(long address, long other) {
    long item = MEMORY.get(JAVA_LONG_UNALIGNED, address);
    MEMORY.set(JAVA_LONG_UNALIGNED, address, MEMORY.get(JAVA_LONG_UNALIGNED, other));
    MEMORY.set(JAVA_LONG_UNALIGNED, other, item);
  }

  @Override
  int inOrder(long address, int items, boolean reversed) {
    long before = MEMORY.get(JAVA_LONG_UNALIGNED, address) ^ flipped;
    for (int i = 1; i < items; i++) {
      long key = MEMORY.get(JAVA_LONG_UNALIGNED, address + bytes(i)) ^ flipped;
      int order = Long.compareUnsigned(key & keyMask, before & keyMask);
      if (reversed ? order >= 0 : order < 0) {
        return i;
      }
      before = key;
    }
    return items;
  }

  @Override
  long differing(long address, int items, long key) {
    long differing = 0;
    for (long at = address, end = address + bytes(items); at < end; at += Long.BYTES) {
      differing |= MEMORY.get(JAVA_LONG_UNALIGNED, at) ^ key;
    }
    return differing & keyMask;
  }

  @Override
  void count(long address, int items, int shift, int[] counts) {
    int mask = counts.length - 1;
    for (long at = address, end = address + bytes(items); at < end; at += Long.BYTES) {
      counts[(int) (MEMORY.get(JAVA_LONG_UNALIGNED, at) >>> shift) & mask]++;
    }
  }

  @Override
  void scatter(long address, int items, int shift, long[] heads) {
    int mask = heads.length - 1;
    for (long at = address, end = address + bytes(items); at < end; at += Long.BYTES) {
      long item = MEMORY.get(JAVA_LONG_UNALIGNED, at);
      int digit = (int) (item >>> shift) & mask;
      long head = heads[digit];
      heads[digit] = head + Long.BYTES;
      MEMORY.set(JAVA_LONG_UNALIGNED, head, item);
    }
  }

  @Override
  void scatter(long address, int items, int shift, DigitBuffers buffers) {
    long[] heads = buffers.heads();
    int mask = heads.length - 1;
    for (long at = address, end = address + bytes(items); at < end; at += Long.BYTES) {
      long item = MEMORY.get(JAVA_LONG_UNALIGNED, at);
      int digit = (int) (item >>> shift) & mask;
      long head = heads[digit];
      MEMORY.set(JAVA_LONG_UNALIGNED, head, item);
      head += Long.BYTES;
      heads[digit] = (head & DigitBuffers.OFFSET_MASK) == 0 ? buffers.empty(digit, head) : head;
    }
  }

  @Override
  boolean insert(long address, int items, long mostMoves) {
    long moves = 0;
    long before = MEMORY.get(JAVA_LONG_UNALIGNED, address) ^ flipped;
    long end = address + bytes(items);
    for (long at = address + Long.BYTES; at < end; at += Long.BYTES) {
      long item = MEMORY.get(JAVA_LONG_UNALIGNED, at) ^ flipped;
      if (Long.compareUnsigned(item & keyMask, before & keyMask) >= 0) {
        before = item;
        continue;
      }
      long hole = at;
      long greater = before;
      do {
        MEMORY.set(JAVA_LONG_UNALIGNED, hole, greater ^ flipped);
        hole -= Long.BYTES;
        // Nothing is less than 0: it ends the loop at the first item.
        greater = hole > address ? MEMORY.get(JAVA_LONG_UNALIGNED, hole - Long.BYTES) ^ flipped : 0;
      } while (Long.compareUnsigned(item & keyMask, greater & keyMask) < 0);
      MEMORY.set(JAVA_LONG_UNALIGNED, hole, item ^ flipped);
      moves += items(at - hole);
      if (moves > mostMoves) {
        return false;
      }
    }
    return true;
  }
}
