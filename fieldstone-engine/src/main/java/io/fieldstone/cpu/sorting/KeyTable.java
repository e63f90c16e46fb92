package io.fieldstone.cpu.sorting;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The table in which a C kernel counts how often each of a few different keys occurs: {@code
 * FS_SORT_TALLY} of fieldstone.h. For one thread.
 */
final class KeyTable {

  /** FS_TALLY_FACTOR of fieldstone.h. */
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  /** Counts of a key, which items take in turns. */
  private static final int COUNTS = 4;

  /** Base-2 logarithm of the slots per key, so that few keys share a slot. */
  private static final int SPARE_BITS = 3;

  private static final int MAX_SLOT_BITS = 15;

  /** Maximum number of keys besides 0: of 4000 keys, items are moved as fast as counted. */
  private static final int MAX_KEYS = 1 << 11;

  private final MemorySegment memory;
  private final int slotBits;

  private KeyTable(MemorySegment memory, int slotBits) {
    this.memory = memory;
    this.slotBits = slotBits;
  }

  /**
   * Makes an empty table that suits a number of items.
   *
   * @param address of native memory for twice as many items
   * @param items number of items, at least 64
   */
  static KeyTable at(long address, long items) {
    int bits = Long.SIZE - 1 - Long.numberOfLeadingZeros(items) - SPARE_BITS;
    int slotBits = Math.min(MAX_SLOT_BITS, bits);
    long slots = 1L << slotBits;
    KeyTable table =
        new KeyTable(MEMORY.asSlice(address, (slots * (1 + COUNTS) + 1) * Long.BYTES), slotBits);
    // The counts of other keys become 0 when they are added.
    table.memory.asSlice(0, (slots + COUNTS) * Long.BYTES).fill((byte) 0);
    table.set(table.numberAt(), 0);
    return table;
  }

  MemorySegment memory() {
    return memory;
  }

  int slotBits() {
    return slotBits;
  }

  /** Returns the maximum number of keys besides 0. */
  int maxKeys() {
    return Math.min(MAX_KEYS, 1 << (slotBits - SPARE_BITS));
  }

  /** Returns the number of keys besides 0. */
  int size() {
    return (int) get(numberAt());
  }

  private long numberAt() {
    return (1L + COUNTS) << slotBits;
  }

  /** Returns the keys in order, with 0. */
  long[] keys() {
    long[] keys = new long[size() + 1];
    for (int slot = 1, found = 1; found < keys.length; slot++) {
      keys[found] = get(slot);
      found += keys[found] == 0 ? 0 : 1;
    }
    // The order of signed numbers is that of keys if their highest bit is flipped.
    flipSigns(keys);
    Arrays.sort(keys);
    flipSigns(keys);
    return keys;
  }

  private static void flipSigns(long[] keys) {
    for (int i = 0; i < keys.length; i++) {
      keys[i] ^= Long.MIN_VALUE;
    }
  }

  /** Returns how often one of the keys occurs. */
  long count(long key) {
    int slot = (int) (key * FACTOR >>> (Long.SIZE - slotBits));
    while (get(slot) != key) {
      slot = slot + 1 & (1 << slotBits) - 1;
    }
    long count = 0;
    for (int i = 0; i < COUNTS; i++) {
      count += get((1L << slotBits) + (long) slot * COUNTS + i);
    }
    return count;
  }

  private long get(long index) {
    return memory.get(JAVA_LONG_UNALIGNED, index * Long.BYTES);
  }

  private void set(long index, long value) {
    memory.set(JAVA_LONG_UNALIGNED, index * Long.BYTES, value);
  }
}
