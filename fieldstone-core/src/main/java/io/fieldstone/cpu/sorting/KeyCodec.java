package io.fieldstone.cpu.sorting;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;

/**
 * Makes ranks of the keys of items, and keys of ranks, eight bytes at a time.
 *
 * <p>The rank of an integer is itself with the sign flipped. That of a floating-point number has
 * all bits flipped if it is negative, and the sign if not; NaNs, which have other ranks ({@link
 * KeyType#bitOrdered}), are only found. Where the greatest comes first, all bits are flipped once
 * more.
 */
final class KeyCodec {

  private static final long TWO_KEYS = 0x1_0000_0001L;
  private static final int INFINITY_32 = 0x7F80_0000;
  private static final long INFINITY_64 = 0x7FF0_0000_0000_0000L;

  private final ItemOps items;
  private final boolean areFloating;

  /** Bytes from a word with keys to the next. */
  private final long step;

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
  KeyCodec(RecordFormat format, ItemOps items) {
    KeyType key = format.key();
    boolean are32 = key.bytes() == Integer.BYTES;
    long each = are32 && items.bytes(1) == Integer.BYTES ? TWO_KEYS : 1;
    this.items = items;
    this.step = Math.max(Long.BYTES, items.bytes(1));
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

  /** What makes ranks of keys that are integers, in each item. */
  long flips() {
    return flips;
  }

  /**
   * Makes ranks of keys.
   *
   * @return whether all are numbers
   */
  boolean toBitOrdered(long address, int count) {
    if (!areFloating) {
      flip(address, count);
      return true;
    }
    int words = words(count);
    long nans = 0;
    for (int i = 0; i < words; i++) {
      long at = address + i * step;
      long keys = MEMORY.get(JAVA_LONG_UNALIGNED, at);
      nans |= (keys & magnitudes) + beyondInfinity;
      MEMORY.set(JAVA_LONG_UNALIGNED, at, keys ^ magnitudesOfNegatives(keys) ^ flips);
    }
    if (hasHalf(count)) {
      long at = address + words * step;
      long key = Integer.toUnsignedLong(MEMORY.get(JAVA_INT_UNALIGNED, at));
      nans |= (key & magnitudes) + beyondInfinity;
      long rank = key ^ magnitudesOfNegatives(key) ^ flips;
      MEMORY.set(JAVA_INT_UNALIGNED, at, (int) rank);
    }
    return (nans & signs) == 0;
  }

  /** Makes keys of ranks. */
  void fromBitOrdered(long address, int count) {
    flip(address, count);
    if (!areFloating) {
      return;
    }
    int words = words(count);
    for (int i = 0; i < words; i++) {
      long at = address + i * step;
      long keys = MEMORY.get(JAVA_LONG_UNALIGNED, at);
      MEMORY.set(JAVA_LONG_UNALIGNED, at, keys ^ magnitudesOfNegatives(keys));
    }
    if (hasHalf(count)) {
      long at = address + words * step;
      long key = MEMORY.get(JAVA_INT_UNALIGNED, at);
      MEMORY.set(JAVA_INT_UNALIGNED, at, (int) (key ^ magnitudesOfNegatives(key)));
    }
  }

  /** Counts by an int, which C2 makes vectors of, as it does not where it counts by a long. */
  private void flip(long address, int count) {
    long flipped = flips;
    if (flipped == 0) {
      return;
    }
    int words = words(count);
    if (step == Long.BYTES) {
      for (int i = 0; i < words; i++) {
        long at = address + (long) i * Long.BYTES;
        MEMORY.set(JAVA_LONG_UNALIGNED, at, MEMORY.get(JAVA_LONG_UNALIGNED, at) ^ flipped);
      }
    } else {
      for (int i = 0; i < words; i++) {
        long at = address + (long) i * 2 * Long.BYTES;
        MEMORY.set(JAVA_LONG_UNALIGNED, at, MEMORY.get(JAVA_LONG_UNALIGNED, at) ^ flipped);
      }
    }
    if (hasHalf(count)) {
      long at = address + words * step;
      MEMORY.set(JAVA_INT_UNALIGNED, at, MEMORY.get(JAVA_INT_UNALIGNED, at) ^ (int) flipped);
    }
  }

  /** How many words have keys in them: two where keys of 32 bits are alone. */
  private int words(int count) {
    return (int) (items.bytes(count) / step);
  }

  private boolean hasHalf(int count) {
    return items.bytes(count) % step != 0;
  }

  private long magnitudesOfNegatives(long keys) {
    long negative = keys & signs;
    return negative - (negative >>> signShift);
  }
}
