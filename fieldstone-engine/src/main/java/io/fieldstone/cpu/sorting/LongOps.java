package io.fieldstone.cpu.sorting;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.cpu.execution.Rows;

/** Items that are a 64-bit key, or a 32-bit key with 32 bits of payload above it. */
public final class LongOps extends ItemOps {

  private final long keyMask;

  /**
   * Items.
   *
   * @param keyBits 32 or 64
   */
  public LongOps(int keyBits) {
    super(3, keyBits);
    this.keyMask = -1L >>> (Long.SIZE - keyBits);
  }

  @Override
  long key(long address) {
    return MEMORY.get(JAVA_LONG_UNALIGNED, address) & keyMask;
  }

  @Override
  void exchange(long address, long other) {
    long item = MEMORY.get(JAVA_LONG_UNALIGNED, address);
    MEMORY.set(JAVA_LONG_UNALIGNED, address, MEMORY.get(JAVA_LONG_UNALIGNED, other));
    MEMORY.set(JAVA_LONG_UNALIGNED, other, item);
  }

  @Override
  int inOrder(long address, int items, boolean reversed) {
    // Equal keys without payload may be exchanged.
    int distinct = keyBits() == Long.SIZE ? 0 : -1;
    long before = MEMORY.get(JAVA_LONG_UNALIGNED, address);
    for (int i = 1; i < items; i++) {
      long key = MEMORY.get(JAVA_LONG_UNALIGNED, address + bytes(i));
      int order = Long.compareUnsigned(key & keyMask, before & keyMask);
      if (reversed ? order > distinct : order < 0) {
        return i;
      }
      before = key;
    }
    return items;
  }

  @Override
  long differing(long address, long items, long key) {
    long differing = 0;
    for (long at = address, end = address + bytes(items); at < end; at += Long.BYTES) {
      differing |= MEMORY.get(JAVA_LONG_UNALIGNED, at) ^ key;
    }
    return differing & keyMask;
  }

  @Override
  KeyBounds bounds(long address, int items) {
    long min = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    for (int i = 0; i < items; i++) {
      long key = key(address + (long) i * Long.BYTES) ^ Long.MIN_VALUE;
      min = Math.min(min, key);
      greatest = Math.max(greatest, key);
    }
    return new KeyBounds(min ^ Long.MIN_VALUE, greatest ^ Long.MIN_VALUE);
  }

  @Override
  void add(long address, int items, long summand) {
    long mask = keyMask;
    for (int i = 0; i < items; i++) {
      long at = address + (long) i * Long.BYTES;
      long item = MEMORY.get(JAVA_LONG_UNALIGNED, at);
      MEMORY.set(JAVA_LONG_UNALIGNED, at, (item & ~mask) | (item + summand & mask));
    }
  }

  @Override
  void count(long address, int items, int shift, long[] counts) {
    int mask = counts.length - 1;
    long from = address & Rows.ADDRESS_MASK;
    for (int i = 0; i < items; i++) {
      long item = MEMORY.get(JAVA_LONG_UNALIGNED, from + (long) i * Long.BYTES);
      counts[(int) (item >>> shift) & mask]++;
    }
  }

  @Override
  boolean areKeys() {
    return keyBits() == Long.SIZE;
  }

  @Override
  void fill(long address, long items, long key) {
    long item = key;
    for (long at = address, end = address + bytes(items); at < end; at += Long.BYTES) {
      MEMORY.set(JAVA_LONG_UNALIGNED, at, item);
    }
  }

  @Override
  void scatter(long address, int items, int shift, long[] heads) {
    int mask = heads.length - 1;
    long from = address & Rows.ADDRESS_MASK;
    for (int i = 0; i < items; i++) {
      long item = MEMORY.get(JAVA_LONG_UNALIGNED, from + (long) i * Long.BYTES);
      int digit = (int) (item >>> shift) & mask;
      long head = heads[digit];
      heads[digit] = head + Long.BYTES;
      MEMORY.set(JAVA_LONG_UNALIGNED, head & Rows.ADDRESS_MASK, item);
    }
  }

  @Override
  public void scatterWithin(long address, int items, int shift, long[] heads, long last) {
    int mask = heads.length - 1;
    long from = address & Rows.ADDRESS_MASK;
    for (int i = 0; i < items; i++) {
      long item = MEMORY.get(JAVA_LONG_UNALIGNED, from + (long) i * Long.BYTES);
      int digit = (int) (item >>> shift) & mask;
      long head = heads[digit];
      heads[digit] = head + Long.BYTES;
      MEMORY.set(JAVA_LONG_UNALIGNED, requireWithin(head, last), item);
    }
  }

  @Override
  boolean hasDescent(long address) {
    return keyBits() == Long.SIZE
        ? longsDescend(address, Long.BYTES)
        : intsDescend(address, Long.BYTES);
  }

  @Override
  long insert(long address, int first, int end) {
    long moves = 0;
    long before = MEMORY.get(JAVA_LONG_UNALIGNED, address + bytes(first - 1));
    for (long at = address + bytes(first), last = address + bytes(end);
        at < last;
        at += Long.BYTES) {
      long item = MEMORY.get(JAVA_LONG_UNALIGNED, at);
      if (Long.compareUnsigned(item & keyMask, before & keyMask) >= 0) {
        before = item;
        continue;
      }
      long hole = at;
      long greater = before;
      do {
        MEMORY.set(JAVA_LONG_UNALIGNED, hole, greater);
        hole -= Long.BYTES;
        // No key is less than 0, so the loop ends at the first item.
        greater = hole > address ? MEMORY.get(JAVA_LONG_UNALIGNED, hole - Long.BYTES) : 0;
      } while (Long.compareUnsigned(item & keyMask, greater & keyMask) < 0);
      MEMORY.set(JAVA_LONG_UNALIGNED, hole, item);
      moves += items(at - hole);
    }
    return moves;
  }
}
