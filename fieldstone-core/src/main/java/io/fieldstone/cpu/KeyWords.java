package io.fieldstone.cpu;

import static io.fieldstone.cpu.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.engine.KeyType;

/**
 * Makes signed integers of the floating-point keys of items, in the same order, and back: of a
 * negative number all bits but the sign are flipped. Works eight bytes at a time.
 *
 * <p>NaNs, which are in no such order ({@link KeyType#rank}), are only found.
 */
final class KeyWords {

  private static final long TWO_KEYS = 0x1_0000_0001L;
  private static final int INFINITY_32 = 0x7F80_0000;
  private static final long INFINITY_64 = 0x7FF0_0000_0000_0000L;

  private final SortItems items;

  /** Bytes from one word with keys in it to the next. */
  private final long step;

  private final int signShift;

  /** The sign bits of the keys in a word. */
  private final long signs;

  /** The other bits of the keys in a word. */
  private final long magnitudes;

  /** What makes a sign bit of a magnitude greater than that of infinity, for each key in a word. */
  private final long beyondInfinity;

  /** The keys of items of a kind. */
  KeyWords(SortItems items) {
    boolean are32 = items.keyBits() == Integer.SIZE;
    long each = are32 && items.bytes(1) == Integer.BYTES ? TWO_KEYS : 1;
    this.items = items;
    this.step = Math.max(Long.BYTES, items.bytes(1));
    this.signShift = items.keyBits() - 1;
    this.signs = each << signShift;
    this.magnitudes = signs - each;
    this.beyondInfinity =
        are32 ? each * (Integer.MAX_VALUE - INFINITY_32) : Long.MAX_VALUE - INFINITY_64;
  }

  /**
   * Makes integers of numbers, and spoils a word after them.
   *
   * @return whether all are numbers
   */
  boolean toIntegers(long address, int count) {
    long end = address + items.bytes(count);
    // What is after the last key may share its word, and should be a number.
    MEMORY.set(JAVA_LONG_UNALIGNED, end, 0);
    long nans = 0;
    for (long at = address; at < end; at += step) {
      long keys = MEMORY.get(JAVA_LONG_UNALIGNED, at);
      nans |= (keys & magnitudes) + beyondInfinity;
      MEMORY.set(JAVA_LONG_UNALIGNED, at, keys ^ magnitudesOfNegatives(keys));
    }
    return (nans & signs) == 0;
  }

  /** Makes numbers of integers, and spoils a word after them. */
  void toNumbers(long address, int count) {
    long end = address + items.bytes(count);
    for (long at = address; at < end; at += step) {
      long keys = MEMORY.get(JAVA_LONG_UNALIGNED, at);
      MEMORY.set(JAVA_LONG_UNALIGNED, at, keys ^ magnitudesOfNegatives(keys));
    }
  }

  private long magnitudesOfNegatives(long keys) {
    long negative = keys & signs;
    return negative - (negative >>> signShift);
  }
}
