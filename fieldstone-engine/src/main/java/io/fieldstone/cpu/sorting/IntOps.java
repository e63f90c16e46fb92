package io.fieldstone.cpu.sorting;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.cpu.execution.Rows;

/** Items that are a 32-bit key. */
public final class IntOps extends ItemOps {

  private static final long LOW_32 = 0xFFFF_FFFFL;

  public IntOps() {
    super(2, Integer.SIZE);
  }

  @Override
  long key(long address) {
    return MEMORY.get(JAVA_INT_UNALIGNED, address) & LOW_32;
  }

  @Override
  void exchange(long address, long other) {
    int item = MEMORY.get(JAVA_INT_UNALIGNED, address);
    MEMORY.set(JAVA_INT_UNALIGNED, address, MEMORY.get(JAVA_INT_UNALIGNED, other));
    MEMORY.set(JAVA_INT_UNALIGNED, other, item);
  }

  @Override
  int inOrder(long address, int items, boolean reversed) {
    int before = MEMORY.get(JAVA_INT_UNALIGNED, address);
    for (int i = 1; i < items; i++) {
      int key = MEMORY.get(JAVA_INT_UNALIGNED, address + bytes(i));
      int order = Integer.compareUnsigned(key, before);
      if (reversed ? order > 0 : order < 0) {
        return i;
      }
      before = key;
    }
    return items;
  }

  @Override
  long differing(long address, long items, long key) {
    long keys = key << Integer.SIZE | key;
    long differing = key(address + bytes(items - 1)) ^ key;
    for (long done = 0; done < items >> 1; done += Integer.MAX_VALUE) {
      long from = address + done * Long.BYTES;
      int words = (int) Math.min(Integer.MAX_VALUE, (items >> 1) - done);
      for (int i = 0; i < words; i++) {
        differing |= MEMORY.get(JAVA_LONG_UNALIGNED, from + (long) i * Long.BYTES) ^ keys;
      }
    }
    return (differing | differing >>> Integer.SIZE) & LOW_32;
  }

  @Override
  KeyBounds bounds(long address, int items) {
    int min = Integer.MAX_VALUE;
    int greatest = Integer.MIN_VALUE;
    for (int i = 0; i < items; i++) {
      int key =
          MEMORY.get(JAVA_INT_UNALIGNED, address + (long) i * Integer.BYTES) ^ Integer.MIN_VALUE;
      min = Math.min(min, key);
      greatest = Math.max(greatest, key);
    }
    return new KeyBounds(
        Integer.toUnsignedLong(min ^ Integer.MIN_VALUE),
        Integer.toUnsignedLong(greatest ^ Integer.MIN_VALUE));
  }

  @Override
  void add(long address, int items, long summand) {
    int added = (int) summand;
    for (int i = 0; i < items; i++) {
      long at = address + (long) i * Integer.BYTES;
      MEMORY.set(JAVA_INT_UNALIGNED, at, MEMORY.get(JAVA_INT_UNALIGNED, at) + added);
    }
  }

  @Override
  void count(long address, int items, int shift, long[] counts) {
    int mask = counts.length - 1;
    long from = address & Rows.ADDRESS_MASK;
    for (int i = 0; i < items; i++) {
      int item = MEMORY.get(JAVA_INT_UNALIGNED, from + (long) i * Integer.BYTES);
      counts[item >>> shift & mask]++;
    }
  }

  @Override
  boolean areKeys() {
    return true;
  }

  @Override
  void fill(long address, long items, long key) {
    int item = (int) key;
    for (long at = address, end = address + bytes(items); at < end; at += Integer.BYTES) {
      MEMORY.set(JAVA_INT_UNALIGNED, at, item);
    }
  }

  @Override
  void scatter(long address, int items, int shift, long[] heads) {
    int mask = heads.length - 1;
    long from = address & Rows.ADDRESS_MASK;
    for (int i = 0; i < items; i++) {
      int item = MEMORY.get(JAVA_INT_UNALIGNED, from + (long) i * Integer.BYTES);
      int digit = item >>> shift & mask;
      long head = heads[digit];
      heads[digit] = head + Integer.BYTES;
      MEMORY.set(JAVA_INT_UNALIGNED, head & Rows.ADDRESS_MASK, item);
    }
  }

  @Override
  public void scatterWithin(long address, int items, int shift, long[] heads, long last) {
    int mask = heads.length - 1;
    long from = address & Rows.ADDRESS_MASK;
    for (int i = 0; i < items; i++) {
      int item = MEMORY.get(JAVA_INT_UNALIGNED, from + (long) i * Integer.BYTES);
      int digit = item >>> shift & mask;
      long head = heads[digit];
      heads[digit] = head + Integer.BYTES;
      MEMORY.set(JAVA_INT_UNALIGNED, requireWithin(head, last), item);
    }
  }

  @Override
  boolean hasDescent(long address) {
    return intsDescend(address, Integer.BYTES);
  }

  @Override
  long insert(long address, int first, int end) {
    long moves = 0;
    int before = MEMORY.get(JAVA_INT_UNALIGNED, address + bytes(first - 1));
    for (long at = address + bytes(first), last = address + bytes(end);
        at < last;
        at += Integer.BYTES) {
      int item = MEMORY.get(JAVA_INT_UNALIGNED, at);
      if (Integer.compareUnsigned(item, before) >= 0) {
        before = item;
        continue;
      }
      long hole = at;
      int greater = before;
      do {
        MEMORY.set(JAVA_INT_UNALIGNED, hole, greater);
        hole -= Integer.BYTES;
        // No key is less than 0, so the loop ends at the first item.
        greater = hole > address ? MEMORY.get(JAVA_INT_UNALIGNED, hole - Integer.BYTES) : 0;
      } while (Integer.compareUnsigned(item, greater) < 0);
      MEMORY.set(JAVA_INT_UNALIGNED, hole, item);
      moves += items(at - hole);
    }
    return moves;
  }
}
