package io.fieldstone.cpu.sorting;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.cpu.execution.Rows;

/** Items that are a 64-bit key and 64 bits of payload. */
public final class WideOps extends ItemOps {

  private static final int BYTES = 2 * Long.BYTES;

  public WideOps() {
    super(4, Long.SIZE);
  }

  @Override
  long key(long address) {
    return MEMORY.get(JAVA_LONG_UNALIGNED, address);
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
    long before = key(address);
    for (int i = 1; i < items; i++) {
      long key = key(address + bytes(i));
      int order = Long.compareUnsigned(key, before);
      if (reversed ? order >= 0 : order < 0) {
        return i;
      }
      before = key;
    }
    return items;
  }

  @Override
  long differing(long address, long items, long key) {
    long differing = 0;
    for (long at = address, end = address + bytes(items); at < end; at += BYTES) {
      differing |= MEMORY.get(JAVA_LONG_UNALIGNED, at) ^ key;
    }
    return differing;
  }

  @Override
  KeyBounds bounds(long address, int items) {
    long min = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    for (long at = address, end = address + bytes(items); at < end; at += BYTES) {
      long key = key(at) ^ Long.MIN_VALUE;
      min = Math.min(min, key);
      greatest = Math.max(greatest, key);
    }
    return new KeyBounds(min ^ Long.MIN_VALUE, greatest ^ Long.MIN_VALUE);
  }

  @Override
  void add(long address, int items, long summand) {
    for (long at = address, end = address + bytes(items); at < end; at += BYTES) {
      MEMORY.set(JAVA_LONG_UNALIGNED, at, key(at) + summand);
    }
  }

  @Override
  void count(long address, int items, int shift, long[] counts) {
    int mask = counts.length - 1;
    long from = address & Rows.ADDRESS_MASK;
    for (int i = 0; i < items; i++) {
      long key = MEMORY.get(JAVA_LONG_UNALIGNED, from + (long) i * BYTES);
      counts[(int) (key >>> shift) & mask]++;
    }
  }

  @Override
  boolean areKeys() {
    return false;
  }

  @Override
  void fill(long address, long items, long key) {
    throw new IllegalStateException("wide items have payloads");
  }

  @Override
  void scatter(long address, int items, int shift, long[] heads) {
    int mask = heads.length - 1;
    long from = address & Rows.ADDRESS_MASK;
    for (int i = 0; i < items; i++) {
      long key = MEMORY.get(JAVA_LONG_UNALIGNED, from + (long) i * BYTES);
      int digit = (int) (key >>> shift) & mask;
      long head = heads[digit];
      heads[digit] = head + BYTES;
      long to = head & Rows.ADDRESS_MASK;
      MEMORY.set(JAVA_LONG_UNALIGNED, to, key);
      long rest = MEMORY.get(JAVA_LONG_UNALIGNED, from + (long) i * BYTES + Long.BYTES);
      MEMORY.set(JAVA_LONG_UNALIGNED, to + Long.BYTES, rest);
    }
  }

  @Override
  public void scatterWithin(long address, int items, int shift, long[] heads, long last) {
    int mask = heads.length - 1;
    long from = address & Rows.ADDRESS_MASK;
    for (int i = 0; i < items; i++) {
      long key = MEMORY.get(JAVA_LONG_UNALIGNED, from + (long) i * BYTES);
      int digit = (int) (key >>> shift) & mask;
      long head = heads[digit];
      heads[digit] = head + BYTES;
      long to = requireWithin(head, last);
      MEMORY.set(JAVA_LONG_UNALIGNED, to, key);
      long rest = MEMORY.get(JAVA_LONG_UNALIGNED, from + (long) i * BYTES + Long.BYTES);
      MEMORY.set(JAVA_LONG_UNALIGNED, to + Long.BYTES, rest);
    }
  }

  @Override
  boolean hasDescent(long address) {
    return longsDescend(address, BYTES);
  }

  @Override
  long insert(long address, int first, int end) {
    long moves = 0;
    long before = key(address + bytes(first - 1));
    for (long at = address + bytes(first), last = address + bytes(end); at < last; at += BYTES) {
      long key = key(at);
      if (Long.compareUnsigned(key, before) >= 0) {
        before = key;
        continue;
      }
      long rest = MEMORY.get(JAVA_LONG_UNALIGNED, at + Long.BYTES);
      long hole = at;
      do {
        move(hole - BYTES, hole);
        hole -= BYTES;
      } while (hole > address && Long.compareUnsigned(key, key(hole - BYTES)) < 0);
      MEMORY.set(JAVA_LONG_UNALIGNED, hole, key);
      MEMORY.set(JAVA_LONG_UNALIGNED, hole + Long.BYTES, rest);
      moves += items(at - hole);
    }
    return moves;
  }

  private static void move(long from, long to) {
    MEMORY.set(JAVA_LONG_UNALIGNED, to, MEMORY.get(JAVA_LONG_UNALIGNED, from));
    MEMORY.set(
        JAVA_LONG_UNALIGNED, to + Long.BYTES, MEMORY.get(JAVA_LONG_UNALIGNED, from + Long.BYTES));
  }
}
