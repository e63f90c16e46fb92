package io.fieldstone.cpu;

import static io.fieldstone.cpu.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/** Keys of 64 bits, each with 64 bits after it. */
final class WideItems extends SortItems {

  private static final int BYTES = 2 * Long.BYTES;

  private final long flipped;

  /**
   * Items.
   *
   * @param flipped bits of a key to flip before comparing
   */
  WideItems(long flipped) {
    super(4, Long.SIZE, flipped);
    this.flipped = flipped;
  }

  @Override
  long key(long address) {
    return MEMORY.get(JAVA_LONG_UNALIGNED, address);
  }

  @Override
  int mostPlain() {
    return 0;
  }

  @Override
  void sortPlain(long address, int count) {
    throw new UnsupportedOperationException("keys with payloads are not plain");
  }

  @Override
  void exchange(long address, long other) {
    long key = key(address);
    long rest = key(address + Long.BYTES);
    move(other, address);
    MEMORY.set(JAVA_LONG_UNALIGNED, other, key);
    MEMORY.set(JAVA_LONG_UNALIGNED, other + Long.BYTES, rest);
  }

  @Override
  int inOrder(long address, int items, boolean reversed) {
    long before = key(address) ^ flipped;
    for (int i = 1; i < items; i++) {
      long key = key(address + bytes(i)) ^ flipped;
      int order = Long.compareUnsigned(key, before);
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
    for (long at = address, end = address + bytes(items); at < end; at += BYTES) {
      differing |= MEMORY.get(JAVA_LONG_UNALIGNED, at) ^ key;
    }
    return differing;
  }

  @Override
  void count(long address, int items, int shift, int[] counts) {
    int mask = counts.length - 1;
    for (long at = address, end = address + bytes(items); at < end; at += BYTES) {
      counts[(int) (MEMORY.get(JAVA_LONG_UNALIGNED, at) >>> shift) & mask]++;
    }
  }

  @Override
  void scatter(long address, int items, int shift, long[] heads) {
    int mask = heads.length - 1;
    for (long at = address, end = address + bytes(items); at < end; at += BYTES) {
      long key = MEMORY.get(JAVA_LONG_UNALIGNED, at);
      int digit = (int) (key >>> shift) & mask;
      long head = heads[digit];
      heads[digit] = head + BYTES;
      MEMORY.set(JAVA_LONG_UNALIGNED, head, key);
      long rest = MEMORY.get(JAVA_LONG_UNALIGNED, at + Long.BYTES);
      MEMORY.set(JAVA_LONG_UNALIGNED, head + Long.BYTES, rest);
    }
  }

  @Override
  void scatter(long address, int items, int shift, DigitBuffers buffers) {
    long[] heads = buffers.heads();
    int mask = heads.length - 1;
    for (long at = address, end = address + bytes(items); at < end; at += BYTES) {
      long key = MEMORY.get(JAVA_LONG_UNALIGNED, at);
      int digit = (int) (key >>> shift) & mask;
      long head = heads[digit];
      MEMORY.set(JAVA_LONG_UNALIGNED, head, key);
      long rest = MEMORY.get(JAVA_LONG_UNALIGNED, at + Long.BYTES);
      MEMORY.set(JAVA_LONG_UNALIGNED, head + Long.BYTES, rest);
      head += BYTES;
      heads[digit] = (head & DigitBuffers.OFFSET_MASK) == 0 ? buffers.empty(digit, head) : head;
    }
  }

  @Override
  boolean insert(long address, int items, long mostMoves) {
    long moves = 0;
    long before = key(address) ^ flipped;
    long end = address + bytes(items);
    for (long at = address + BYTES; at < end; at += BYTES) {
      long key = key(at) ^ flipped;
      if (Long.compareUnsigned(key, before) >= 0) {
        before = key;
        continue;
      }
      long rest = MEMORY.get(JAVA_LONG_UNALIGNED, at + Long.BYTES);
      long hole = at;
      do {
        move(hole - BYTES, hole);
        hole -= BYTES;
      } while (hole > address && Long.compareUnsigned(key, key(hole - BYTES) ^ flipped) < 0);
      MEMORY.set(JAVA_LONG_UNALIGNED, hole, key ^ flipped);
      MEMORY.set(JAVA_LONG_UNALIGNED, hole + Long.BYTES, rest);
      moves += items(at - hole);
      if (moves > mostMoves) {
        return false;
      }
    }
    return true;
  }

  private static void move(long from, long to) {
    MEMORY.set(JAVA_LONG_UNALIGNED, to, MEMORY.get(JAVA_LONG_UNALIGNED, from));
    MEMORY.set(
        JAVA_LONG_UNALIGNED, to + Long.BYTES, MEMORY.get(JAVA_LONG_UNALIGNED, from + Long.BYTES));
  }
}
