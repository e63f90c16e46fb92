package io.fieldstone.cpu.sorting;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.cpu.execution.Rows;
import java.lang.foreign.MemorySegment;
import java.util.ConcurrentModificationException;

/**
 * The loops of sorting over items of one size in {@link Rows#MEMORY}. An item has a key, an
 * unsigned number, in its low bits, and what goes with it above. Addresses may have any alignment;
 * nothing is checked.
 *
 * <p>Every loop leaves items of equal keys in their order. Benchmark: {@code bench radix}.
 */
public abstract sealed class ItemOps permits IntOps, LongOps, WideOps {

  /** Bits less that are worth a look at all keys. */
  private static final int NARROWER_BITS = 2;

  /** Items that are looked at together before any of them is moved by insertion. */
  static final int STRETCH = 16;

  /** Bytes of an item, as a shift. */
  private final int bytesShift;

  private final int keyBits;

  ItemOps(int bytesShift, int keyBits) {
    this.bytesShift = bytesShift;
    this.keyBits = keyBits;
  }

  /** Bits of a key: 32 or 64. */
  final int keyBits() {
    return keyBits;
  }

  /** Bytes of so many items. */
  public final long bytes(long items) {
    return items << bytesShift;
  }

  /** Items in so many bytes. */
  final long items(long bytes) {
    return bytes >> bytesShift;
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

  /** The key of the item at an address. */
  abstract long key(long address);

  /**
   * How many items from the first on are in order.
   *
   * @param reversed whether the order meant is the other one, which is right when it is turned
   *     round
   */
  abstract int inOrder(long address, int items, boolean reversed);

  /**
   * Whether keys lie so close together that subtracting the least leaves fewer bits that differ
   * than they have now.
   */
  final boolean areNarrow(long address, long items, long key) {
    long width = extremes(address, items).width();
    return Long.numberOfLeadingZeros(width)
        > Long.numberOfLeadingZeros(differing(address, items, key)) + NARROWER_BITS;
  }

  /** The bits in which any key differs from this one. */
  abstract long differing(long address, long items, long key);

  /** The least and the greatest key of at least one item. */
  abstract KeyBounds extremes(long address, long items);

  /** Adds to each key, and to nothing that goes with it. */
  abstract void add(long address, long items, long summand);

  /** Counts items by the digit {@code key >>> shift & counts.length − 1}. */
  abstract void count(long address, int items, int shift, long[] counts);

  /** Whether an item is a key and nothing else. */
  abstract boolean areKeys();

  /** Writes a key again and again; only of items that are keys. */
  abstract void fill(long address, long items, long key);

  /**
   * Moves each item to where the head of its digit points, and the head on. There are as many heads
   * as values of the digit, a power of two. Items are those that were counted: nobody else may
   * write them.
   */
  abstract void scatter(long address, int items, int shift, long[] heads);

  /**
   * As {@link #scatter}, of items in a caller's memory, which may have changed since they were
   * counted.
   *
   * @param last address of the last item's place; no item goes behind it
   * @throws ConcurrentModificationException if one would
   */
  public abstract void scatterWithin(long address, int items, int shift, long[] heads, long last);

  /** A head that may be written to. */
  static long within(long head, long last) {
    if (head > last) {
      throw changed();
    }
    return head & Rows.ADDRESS_MASK;
  }

  private static ConcurrentModificationException changed() {
    return new ConcurrentModificationException("the records changed while they were sorted");
  }

  /**
   * Checks that as many items were moved by each head as had been counted.
   *
   * @param counts of each thread, by digit
   * @param heads that {@link #exclusiveScan(long[][], long)} made of them, after all items were
   *     moved
   * @param to where the first of them was
   * @throws ConcurrentModificationException if not
   */
  final void requireMoved(long[][] counts, long[][] heads, long to) {
    long head = to;
    for (int digit = 0; digit < counts[0].length; digit++) {
      for (int thread = 0; thread < counts.length; thread++) {
        head += bytes(counts[thread][digit]);
        if (heads[thread][digit] != head) {
          throw changed();
        }
      }
    }
  }

  /**
   * Makes counts of each thread's items of each digit where they go: after those of lesser digits,
   * and after those of the threads before it.
   *
   * @param counts of each thread, by digit
   * @param to where the first goes
   * @return heads of each thread, by digit
   */
  final long[][] exclusiveScan(long[][] counts, long to) {
    long[][] heads = new long[counts.length][counts[0].length];
    long head = to;
    for (int digit = 0; digit < counts[0].length; digit++) {
      for (int thread = 0; thread < counts.length; thread++) {
        heads[thread][digit] = head;
        head += bytes(counts[thread][digit]);
      }
    }
    return heads;
  }

  /** The same of one thread, whose counts become heads. */
  final void exclusiveScan(long[] counts, long to) {
    long head = to;
    for (int digit = 0; digit < counts.length; digit++) {
      long bytes = bytes(counts[digit]);
      counts[digit] = head;
      head += bytes;
    }
  }

  /**
   * Insertion sort, given up when it has moved items too often.
   *
   * @param mostMoves after which to give up
   * @return whether all is sorted; if not, the items are only in another order, in which those of
   *     equal keys are where they were among each other
   */
  final boolean insert(long address, int items, long mostMoves) {
    long moves = 0;
    int first = 1;
    for (; first + STRETCH <= items && moves <= mostMoves; first += STRETCH) {
      if (hasDescent(address + bytes(first - 1))) {
        moves += insert(address, first, first + STRETCH);
      }
    }
    if (moves <= mostMoves) {
      moves += insert(address, first, items);
    }
    return moves <= mostMoves;
  }

  /**
   * Whether any of {@link #STRETCH} items is less than the one before it; looks at all of them,
   * without a branch for each.
   *
   * @param address of the one before the first
   */
  abstract boolean hasDescent(long address);

  /** As {@link #hasDescent}, of keys that are unsigned numbers of 32 bits, so many bytes apart. */
  static boolean intsFall(long address, int stride) {
    long from = address & Rows.ADDRESS_MASK;
    long before = Integer.toUnsignedLong(MEMORY.get(JAVA_INT_UNALIGNED, from));
    long differences = 0;
    for (int i = 1; i <= STRETCH; i++) {
      int low = MEMORY.get(JAVA_INT_UNALIGNED, from + (long) i * stride);
      long key = Integer.toUnsignedLong(low);
      differences |= key - before;
      before = key;
    }
    return differences < 0;
  }

  /** The same of 64 bits. */
  static boolean longsFall(long address, int stride) {
    long from = address & Rows.ADDRESS_MASK;
    long before = MEMORY.get(JAVA_LONG_UNALIGNED, from);
    long borrows = 0;
    for (int i = 1; i <= STRETCH; i++) {
      long key = MEMORY.get(JAVA_LONG_UNALIGNED, from + (long) i * stride);
      // The highest bit is what key − before borrows, as unsigned numbers.
      borrows |= ~key & before | (~key | before) & key - before;
      before = key;
    }
    return borrows < 0;
  }

  /**
   * Puts some of the items where they belong among those before them, which are in order.
   *
   * @param first of those to move, not 0
   * @param end behind the last of them
   * @return how many places they have moved
   */
  abstract long insert(long address, int first, int end);
}
