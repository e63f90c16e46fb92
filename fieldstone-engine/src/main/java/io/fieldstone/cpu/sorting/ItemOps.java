package io.fieldstone.cpu.sorting;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.cpu.sorting.SortMemory.Workbench;
import java.lang.foreign.MemorySegment;
import java.util.ConcurrentModificationException;

/**
 * The loops of sorting over items of one size in {@link Rows#MEMORY}. The low bits of an item are
 * its key, an unsigned number; the bits above are its payload. Addresses may have any alignment and
 * are not checked.
 *
 * <p>Every loop keeps items of equal keys in their order. Benchmark: {@code bench radix}.
 */
public abstract sealed class ItemOps permits IntOps, LongOps, WideOps, NativeOps {

  /** Minimum reduction of the key width, in bits, for which all keys are examined. */
  private static final int NARROWER_BITS = 2;

  /** Items checked for a descent together before insertion moves any of them. */
  static final int STRETCH = 16;

  /** Base-2 logarithm of the bytes of an item. */
  private final int bytesShift;

  private final int keyBits;

  ItemOps(int bytesShift, int keyBits) {
    this.bytesShift = bytesShift;
    this.keyBits = keyBits;
  }

  /** Returns the base-2 logarithm of the bytes of an item. */
  final int bytesShift() {
    return bytesShift;
  }

  /** Returns the number of items that a loop takes at once. */
  int blockItems() {
    return Workbench.BLOCK_ITEMS;
  }

  /**
   * Sorts items that fit into cache on one core.
   *
   * @param run address of the items
   * @param other address of a buffer of the same size
   * @return address of the sorted items: one of the two
   */
  long sortRun(long run, long other, int items) {
    return new RunSort(this).sort(run, other, items);
  }

  /** Returns the bits of a key: 32 or 64. */
  final int keyBits() {
    return keyBits;
  }

  /** Returns the bytes of a number of items. */
  public final long bytes(long items) {
    return items << bytesShift;
  }

  /** Returns the number of items in a number of bytes. */
  final long items(long bytes) {
    return bytes >> bytesShift;
  }

  /** Copies items. */
  final void copy(long from, long to, long count) {
    MemorySegment.copy(Rows.MEMORY, from, Rows.MEMORY, to, bytes(count));
  }

  /** Reverses the order of items. */
  final void reverse(long address, int count) {
    long last = address + bytes(count - 1);
    for (long at = address, other = last; at < other; at += bytes(1), other -= bytes(1)) {
      exchange(at, other);
    }
  }

  /** Exchanges two items. */
  abstract void exchange(long address, long other);

  /** Returns the key of the item at an address. */
  abstract long key(long address);

  /**
   * Returns the length of the longest prefix that is in order.
   *
   * @param reversed whether to check for reverse order, which must be strict for items with a
   *     payload
   */
  abstract int inOrder(long address, int items, boolean reversed);

  /** Returns whether subtracting the minimum key leaves clearly fewer differing bits. */
  final boolean areNarrow(long address, int items, long key) {
    long width = bounds(address, items).width();
    return Long.numberOfLeadingZeros(width)
        > Long.numberOfLeadingZeros(differing(address, items, key)) + NARROWER_BITS;
  }

  /** Returns the bits in which at least one key differs from {@code key}. */
  abstract long differing(long address, long items, long key);

  /**
   * Returns the minimum and maximum key of at least one item. The loops of this and of {@link #add}
   * count by an int: C2 vectorizes no loop that counts by a long.
   */
  abstract KeyBounds bounds(long address, int items);

  /** Adds to each key and leaves the payload unchanged. */
  abstract void add(long address, int items, long summand);

  /** Counts items by the digit {@code key >>> shift & counts.length − 1}. */
  abstract void count(long address, int items, int shift, long[] counts);

  /** Returns whether items have no payload. */
  abstract boolean areKeys();

  /** Writes the same key to each item; the items have no payload. */
  abstract void fill(long address, long items, long key);

  /**
   * Moves each item to the head of its digit and advances that head. The number of heads is a power
   * of two. The items must not have changed since they were counted.
   */
  abstract void scatter(long address, int items, int shift, long[] heads);

  /**
   * As {@link #scatter}, for items in a caller's memory, which may have changed since they were
   * counted.
   *
   * @param last address of the last destination; no item is written after it
   * @throws ConcurrentModificationException if a head lies after it
   */
  public abstract void scatterWithin(long address, int items, int shift, long[] heads, long last);

  /** Returns the head, after checking that it is not after the last destination. */
  static long requireWithin(long head, long last) {
    if (head > last) {
      throw changed();
    }
    return head & Rows.ADDRESS_MASK;
  }

  static ConcurrentModificationException changed() {
    return new ConcurrentModificationException("the records changed while they were sorted");
  }

  /**
   * Checks that each head moved the number of items that had been counted.
   *
   * @param counts counts of each thread, by digit
   * @param heads result of {@link #exclusiveScan(long[][], long)}, after all items were moved
   * @param to address of the first head before that
   * @throws ConcurrentModificationException if the numbers differ
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
   * Returns the address of each thread's first item of each digit: after the items of smaller
   * digits, and after those of the threads before it.
   *
   * @param counts counts of each thread, by digit
   * @param to address of the first item
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

  /** As above for one thread; replaces its counts by heads. */
  final void exclusiveScan(long[] counts, long to) {
    long head = to;
    for (int digit = 0; digit < counts.length; digit++) {
      long bytes = bytes(counts[digit]);
      counts[digit] = head;
      head += bytes;
    }
  }

  /**
   * Sorts by insertion, and stops after too many moves.
   *
   * @param mostMoves number of moves after which to stop
   * @return whether all items are sorted; if not, items of equal keys are still in their order
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
   * Returns whether one of {@link #STRETCH} items is less than its predecessor. Checks all of them
   * without branches.
   *
   * @param address address of the predecessor of the first
   */
  abstract boolean hasDescent(long address);

  /** As {@link #hasDescent}, for unsigned 32-bit keys that are {@code stride} bytes apart. */
  static boolean intsDescend(long address, int stride) {
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

  /** As {@link #hasDescent}, for unsigned 64-bit keys that are {@code stride} bytes apart. */
  static boolean longsDescend(long address, int stride) {
    long from = address & Rows.ADDRESS_MASK;
    long before = MEMORY.get(JAVA_LONG_UNALIGNED, from);
    long borrows = 0;
    for (int i = 1; i <= STRETCH; i++) {
      long key = MEMORY.get(JAVA_LONG_UNALIGNED, from + (long) i * stride);
      // The highest bit is the borrow of the unsigned subtraction key − before.
      borrows |= ~key & before | (~key | before) & key - before;
      before = key;
    }
    return borrows < 0;
  }

  /**
   * Inserts items into the sorted items before them.
   *
   * @param first index of the first item to insert, not 0
   * @param end index after the last of them
   * @return the total distance that items have moved
   */
  abstract long insert(long address, int first, int end);
}
