package io.fieldstone.cpu;

import java.lang.foreign.MemorySegment;

/**
 * The loops of sorting over items of one size in {@link Rows#MEMORY}. An item has a key in its low
 * bits, and what goes with it above. Keys with some bits flipped, the same in all, are what is in
 * order, as unsigned numbers: so signed and descending keys are sorted as they are. Addresses may
 * have any alignment; nothing is checked.
 *
 * <p>Every loop leaves items of equal keys in their order. Benchmark: {@code bench radix}.
 */
abstract sealed class SortItems permits IntItems, LongItems, WideItems {

  /** Bytes of an item, as a shift. */
  private final int bytesShift;

  private final int keyBits;
  private final long flipped;

  SortItems(int bytesShift, int keyBits, long flipped) {
    this.bytesShift = bytesShift;
    this.keyBits = keyBits;
    this.flipped = flipped;
  }

  /** Bits of a key: 32 or 64. */
  final int keyBits() {
    return keyBits;
  }

  /** Bytes of so many items. */
  final long bytes(long items) {
    return items << bytesShift;
  }

  /** Items in so many bytes. */
  final long items(long bytes) {
    return bytes >> bytesShift;
  }

  /** The bits of a key to flip. */
  final long flipped() {
    return flipped;
  }

  /**
   * What turns the values of a digit in their order into the digit as it is: {@code value ^
   * flippedDigit}.
   */
  final int flippedDigit(int shift, int values) {
    return (int) (flipped >>> shift) & (values - 1);
  }

  /** Copies items. */
  final void copy(long from, long to, long count) {
    MemorySegment.copy(Rows.MEMORY, from, Rows.MEMORY, to, bytes(count));
  }

  /** Turns the order of items round. */
  final void reverse(long address, int count) {
    long last = address + bytes(count - 1);
    for (long at = address, other = last; at < other; at += bytes(1), other -= bytes(1)) {
      exchange(at, other);
    }
  }

  /** Exchanges two items. */
  abstract void exchange(long address, long other);

  /** The key of the item at an address, as it is. */
  abstract long key(long address);

  /**
   * How many items there are, at most, which the JDK's own sort would sort faster than digits do:
   * it has vector code for arrays of keys. What goes with keys it cannot sort.
   */
  abstract int mostPlain();

  /** Sorts by the JDK's own sort; for so many items as {@link #mostPlain} says. */
  abstract void sortPlain(long address, int count);

  /**
   * How many items from the first on are in order.
   *
   * @param reversed whether the order meant is that of strictly falling keys
   */
  abstract int inOrder(long address, int items, boolean reversed);

  /** The bits in which any key differs from this one. */
  abstract long differing(long address, int items, long key);

  /** Counts items by the digit {@code key >>> shift & counts.length − 1}. */
  abstract void count(long address, int items, int shift, int[] counts);

  /**
   * Moves each item to where the head of its digit points, and the head on. There are as many heads
   * as values of the digit, a power of two.
   */
  abstract void scatter(long address, int items, int shift, long[] heads);

  /**
   * As {@link #scatter}, into buffers which their owner takes when they are full: the heads are its
   * own.
   */
  abstract void scatter(long address, int items, int shift, DigitBuffers buffers);

  /**
   * Insertion sort, given up when it has moved items too often.
   *
   * @param mostMoves after which to give up
   * @return whether all is sorted; if not, the items are only in another order, in which those of
   *     equal keys are where they were among each other
   */
  abstract boolean insert(long address, int items, long mostMoves);
}
