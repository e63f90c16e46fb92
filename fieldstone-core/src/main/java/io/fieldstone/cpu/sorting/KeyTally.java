package io.fieldstone.cpu.sorting;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts how often each of a few different keys occurs. Threads count in tables of their own, in
 * which each key has a slot. Thread-safe.
 */
final class KeyTally {

  /** Maximum number of keys besides 0: seven seeds are tried for as many, on average. */
  private static final int MAX_KEYS = 64;

  /** Base-2 logarithm of the number of slots. */
  static final int SLOT_BITS = 10;

  private static final int SLOTS = 1 << SLOT_BITS;

  private static final int MAX_SEEDS = 100;

  /** FS_TALLY_FACTOR of fieldstone.h. */
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  /** Counts of a slot, which items take in turns: one that just increased is not ready at once. */
  private static final int COUNTS = 4;

  /** Bytes of a table: the key of each slot, and then the counts of each. */
  static final long BYTES = (long) SLOTS * (1 + COUNTS) * Long.BYTES;

  /** The keys in order. One of them is 0, since that is the key of slots without a key. */
  private final long[] keys;

  private final int seed;
  private final AtomicLongArray counts;

  private KeyTally(long[] keys, int seed) {
    this.keys = keys;
    this.seed = seed;
    this.counts = new AtomicLongArray(keys.length);
  }

  /** Makes a tally for the keys of items, unless there are too many. */
  static Optional<KeyTally> of(ItemOps items, long address, int count) {
    // The order of signed numbers is that of keys if their highest bit is flipped.
    long[] signed = new long[MAX_KEYS + 1];
    signed[0] = Long.MIN_VALUE;
    int found = 1;
    for (int i = 0; i < count; i++) {
      long key = items.key(address + items.bytes(i)) ^ Long.MIN_VALUE;
      int place = -Arrays.binarySearch(signed, 0, found, key) - 1;
      if (place < 0) {
        continue;
      }
      if (found == signed.length) {
        return Optional.empty();
      }
      System.arraycopy(signed, place, signed, place + 1, found - place);
      signed[place] = key;
      found++;
    }
    return of(Arrays.stream(signed, 0, found).map(key -> key ^ Long.MIN_VALUE).toArray());
  }

  private static Optional<KeyTally> of(long[] keys) {
    for (int seed = 0; seed < MAX_SEEDS; seed++) {
      if (areApart(keys, seed)) {
        return Optional.of(new KeyTally(keys, seed));
      }
    }
    return Optional.empty();
  }

  private static boolean areApart(long[] keys, int seed) {
    boolean[] used = new boolean[SLOTS];
    for (long key : keys) {
      int slot = slot(key, seed);
      if (used[slot]) {
        return false;
      }
      used[slot] = true;
    }
    return true;
  }

  private static int slot(long key, int seed) {
    return (int) (key * (FACTOR * (2L * seed + 1)) >>> (Long.SIZE - SLOT_BITS));
  }

  /** Returns the number that selects the function from keys to slots. */
  int seed() {
    return seed;
  }

  /**
   * Makes a table without counts.
   *
   * @param address of {@link #BYTES} bytes of native memory
   */
  MemorySegment table(long address) {
    MemorySegment table = MEMORY.asSlice(address, BYTES).fill((byte) 0);
    for (long key : keys) {
      table.set(JAVA_LONG_UNALIGNED, (long) slot(key, seed) * Long.BYTES, key);
    }
    return table;
  }

  /** Adds the counts of a table. */
  void add(MemorySegment table) {
    for (int i = 0; i < keys.length; i++) {
      long own = (SLOTS + (long) slot(keys[i], seed) * COUNTS) * Long.BYTES;
      for (int k = 0; k < COUNTS; k++) {
        counts.addAndGet(i, table.get(JAVA_LONG_UNALIGNED, own + (long) k * Long.BYTES));
      }
    }
  }

  /** Returns the keys that have been counted, as often as they occur. */
  KeyRuns runs() {
    return KeyRuns.of(i -> keys[i], counts::get, keys.length);
  }
}
