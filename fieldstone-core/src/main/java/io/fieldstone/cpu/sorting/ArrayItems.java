package io.fieldstone.cpu.sorting;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Records in an array of the JVM's that are read as items without being copied first. Keys are such
 * that their ranks are made by flipping bits, the same in all.
 */
public sealed interface ArrayItems permits IntArrayItems, LongArrayItems {

  /**
   * The items that records are, if they are in an array of elements of their size.
   *
   * @param bytes of a record
   * @param flips of an item that make ranks of keys
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
