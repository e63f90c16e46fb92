package io.fieldstone.cpu.sorting;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Records in a heap array that are read as items without a copy. Flipping the same bits of each key
 * makes it comparable as an unsigned number.
 */
public sealed interface ArrayItems permits IntArrayItems, LongArrayItems {

  /**
   * Returns the records as items, if they are in an array whose elements have their size.
   *
   * @param bytes bytes of a record
   * @param flips bits of an item that are flipped to make its key bit-ordered
   */
  static Optional<ArrayItems> of(MemorySegment records, long bytes, long flips) {
    if (records.address() % bytes != 0) {
      return Optional.empty();
    }
    int start = (int) (records.address() / bytes);
    return switch (records.heapBase().orElse(null)) {
      case int[] array when bytes == Integer.BYTES ->
          Optional.of(new IntArrayItems(array, start, (int) flips));
      case long[] array when bytes == Long.BYTES ->
          Optional.of(new LongArrayItems(array, start, flips));
      case null, default -> Optional.empty();
    };
  }

  /** As {@link ItemOps#count(long, int, int, long[])}, from the {@code first} item on. */
  void count(int first, int items, int shift, long[] counts);

  /** As {@link ItemOps#scatterWithin}, from the {@code first} item on. */
  void scatterWithin(int first, int items, int shift, long[] heads, long last);
}
