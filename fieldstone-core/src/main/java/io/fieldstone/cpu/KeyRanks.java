package io.fieldstone.cpu;

import static io.fieldstone.cpu.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.engine.KeyType;
import io.fieldstone.engine.RecordFormat;
import io.fieldstone.engine.RecordFormat.Direction;

/**
 * Makes ranks of the keys of items, and keys of ranks, eight bytes at a time.
 *
 * <p>The rank of an integer is itself with the sign flipped. That of a floating-point number has
 * all bits flipped if it is negative, and the sign if not; NaNs, which have other ranks ({@link
 * KeyType#rank}), are only found. Where the greatest comes first, all bits are flipped once more.
 */
final class KeyRanks {

  private static final long TWO_KEYS = 0x1_0000_0001L;
  private static final int INFINITY_32 = 0x7F80_0000;
  private static final long INFINITY_64 = 0x7FF0_0000_0000_0000L;

  private final SortItems items;
  private final boolean areFloating;
  private final int signShift;

  /** The sign bits of the keys in a word. */
  private final long signs;

  /** The other bits of the keys in a word. */
  private final long magnitudes;

  /** What is flipped whatever the key. */
  private final long flips;

  /** What makes a sign bit of a magnitude greater than that of infinity, for each key in a word. */
  private final long beyondInfinity;

  /** The keys of a format in items of a kind. */
  KeyRanks(RecordFormat format, SortItems items) {
    KeyType key = format.key();
    boolean are32 = key.bytes() == Integer.BYTES;
    long each = are32 && items.bytes(1) == Integer.BYTES ? TWO_KEYS : 1;
    this.items = items;
    this.areFloating = key.isFloating();
    this.signShift = items.keyBits() - 1;
    this.signs = each << signShift;
    this.magnitudes = signs - each;
    this.flips =
        (key == KeyType.U32 || key == KeyType.U64 ? 0 : signs)
            ^ (format.direction() == Direction.DESCENDING ? signs | magnitudes : 0);
    this.beyondInfinity =
        are32 ? each * (Integer.MAX_VALUE - INFINITY_32) : Long.MAX_VALUE - INFINITY_64;
  }

  /** Whether keys are their ranks. */
  boolean areKeys() {
    return !areFloating && flips == 0;
  }

  /**
   * Makes ranks of keys.
   *
   * @return whether all are numbers
   */
  boolean rank(long address, int count) {
    if (!areFloating) {
      flip(address, count);
      return true;
    }
    long step = Math.max(Long.BYTES, items.bytes(1));
    long end = address + items.bytes(count);
    long at = address;
    long nans = 0;
    for (; at + Long.BYTES <= end; at += step) {
      long keys = MEMORY.get(JAVA_LONG_UNALIGNED, at);
      nans |= (keys & magnitudes) + beyondInfinity;
      MEMORY.set(JAVA_LONG_UNALIGNED, at, keys ^ magnitudesOfNegatives(keys) ^ flips);
    }
    if (at < end) {
      long key = Integer.toUnsignedLong(MEMORY.get(JAVA_INT_UNALIGNED, at));
      nans |= (key & magnitudes) + beyondInfinity;
      long rank = key ^ magnitudesOfNegatives(key) ^ flips;
      MEMORY.set(JAVA_INT_UNALIGNED, at, (int) rank);
    }
    return (nans & signs) == 0;
  }

  /** Makes keys of ranks. */
  void unrank(long address, int count) {
    flip(address, count);
    if (!areFloating) {
      return;
    }
    long step = Math.max(Long.BYTES, items.bytes(1));
    long end = address + items.bytes(count);
    long at = address;
    for (; at + Long.BYTES <= end; at += step) {
      long keys = MEMORY.get(JAVA_LONG_UNALIGNED, at);
      MEMORY.set(JAVA_LONG_UNALIGNED, at, keys ^ magnitudesOfNegatives(keys));
    }
    if (at < end) {
      long key = MEMORY.get(JAVA_INT_UNALIGNED, at);
      MEMORY.set(JAVA_INT_UNALIGNED, at, (int) (key ^ magnitudesOfNegatives(key)));
    }
  }

  private void flip(long address, int count) {
    long flipped = flips;
    long end = address + items.bytes(count);
    if (flipped == 0) {
      return;
    }
    if (items.bytes(1) > Long.BYTES) {
      for (long at = address; at < end; at += 2 * Long.BYTES) {
        MEMORY.set(JAVA_LONG_UNALIGNED, at, MEMORY.get(JAVA_LONG_UNALIGNED, at) ^ flipped);
      }
      return;
    }
    long at = address;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      MEMORY.set(JAVA_LONG_UNALIGNED, at, MEMORY.get(JAVA_LONG_UNALIGNED, at) ^ flipped);
    }
    if (at < end) {
      MEMORY.set(JAVA_INT_UNALIGNED, at, MEMORY.get(JAVA_INT_UNALIGNED, at) ^ (int) flipped);
    }
  }

  private long magnitudesOfNegatives(long keys) {
    long negative = keys & signs;
    return negative - (negative >>> signShift);
  }
}
