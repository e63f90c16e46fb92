package io.fieldstone.cpu.sorting;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import java.lang.foreign.MemorySegment;

/**
 * Converts keys of items to unsigned numbers of the same order ("bit-ordered"), and back, eight
 * bytes at a time.
 *
 * <p>A signed integer has its sign flipped. A floating-point number has all bits flipped if it is
 * negative, otherwise only the sign. NaNs, for which {@link KeyType#bitOrdered} differs, are only
 * detected. Descending order flips all bits once more.
 */
final class KeyCodec {

  private static final long TWO_KEYS = 0x1_0000_0001L;

  private final ItemOps items;
  private final boolean areFloating;

  /** Distance in bytes between two words that contain keys. */
  private final long step;

  private final int signShift;

  /** The sign bits of the keys in a word. */
  private final long signs;

  /** The other bits of the keys in a word. */
  private final long magnitudes;

  /** Bits that are flipped in every key. */
  private final long flips;

  /**
   * Summand that sets the sign bit if a magnitude is greater than that of infinity, for each key of
   * a word.
   */
  private final long beyondInfinity;

  /** Makes the codec for keys of a format in items of a kind. */
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
        are32
            ? each * (Integer.MAX_VALUE - NanKeys.INFINITY_32)
            : Long.MAX_VALUE - NanKeys.INFINITY_64;
  }

  /** Returns whether keys are bit-ordered without conversion. */
  boolean areKeys() {
    return !areFloating && flips == 0;
  }

  /** Returns whether keys are floating-point numbers. */
  boolean areFloating() {
    return areFloating;
  }

  /**
   * Copies items and converts their keys to bit-ordered keys.
   *
   * @param from exactly these items
   * @return whether no key is NaN
   */
  boolean read(MemorySegment from, int count, long to) {
    if (items instanceof NativeOps loops) {
      return loops.read(from, count, flips, areFloating, to);
    }
    MemorySegment.copy(from, 0, MEMORY, to, items.bytes(count));
    return toBitOrdered(to, count);
  }

  /**
   * Copies items and converts their bit-ordered keys back; may change the items.
   *
   * @param to memory for exactly these items
   */
  void write(long from, int count, MemorySegment to) {
    if (items instanceof NativeOps loops) {
      loops.write(from, count, flips, areFloating, to);
    } else {
      fromBitOrdered(from, count);
      MemorySegment.copy(MEMORY, from, to, 0, items.bytes(count));
    }
  }

  /** Returns the bits to flip in each item, before all others of a negative floating-point key. */
  long flips() {
    return flips;
  }

  /**
   * Converts keys to bit-ordered keys.
   *
   * @return whether no key is NaN
   */
  boolean toBitOrdered(long address, int count) {
    if (items instanceof NativeOps loops) {
      return areKeys() || loops.read(memory(address, count), count, flips, areFloating, address);
    }
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

  /** Converts bit-ordered keys back to keys. */
  void fromBitOrdered(long address, int count) {
    if (items instanceof NativeOps loops) {
      if (!areKeys()) {
        loops.write(address, count, flips, areFloating, memory(address, count));
      }
      return;
    }
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

  private MemorySegment memory(long address, int count) {
    return MEMORY.asSlice(address, items.bytes(count));
  }

  /** The loop counts by an int: C2 vectorizes no loop that counts by a long. */
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

  /** Returns the number of words of keys; two 32-bit keys without payload share a word. */
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
