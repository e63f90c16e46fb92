package io.fieldstone.engine.sorting;

import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;

/**
 * Sorting of records of one {@link RecordFormat}. It is stable: records of equal keys stay in the
 * order they had, and of the keys themselves no bit changes, NaNs included.
 *
 * <p>Thread-safe, and nothing to close. Memory may be of any kind and alignment. An engine takes
 * memory of its own meanwhile ({@link #leastWorkingBytes}), and may keep it for the next call until
 * it is closed.
 *
 * <p>Records that change during a call, because another thread or process writes them, are sorted
 * wrongly, or {@link java.util.ConcurrentModificationException} is thrown; no other memory is
 * written.
 *
 * <p>Every method throws {@link IllegalArgumentException}, before it writes anything, if memory is
 * not a whole number of records, is read-only where it is to be written, or overlaps other memory
 * of the call, or if bytes are resident on another engine.
 */
public interface Sorting {

  /** What it sorts. */
  RecordFormat format();

  /** How it sorts, one of {@link Sorts#methods}; {@code auto} if the engine chooses. */
  String method();

  /**
   * How much memory of this machine a call takes at least to sort so many records where they are,
   * besides what it is given; by more threads it takes more.
   *
   * @param records how many, ≥ 0
   * @return bytes, outside the heap or on it
   */
  default long leastWorkingBytes(long records) {
    return records * 2 * format().bytes();
  }

  /**
   * The same sorting, which takes no more memory of this machine than so many bytes, if {@link
   * #leastWorkingBytes} are no more: by fewer threads, if need be. What the engine keeps from one
   * call to the next is part of them.
   *
   * @param workingBytes limit of each call
   */
  default Sorting within(long workingBytes) {
    return this;
  }

  /** Sorts records where they are. */
  void sort(MemorySegment records);

  /**
   * Sorts records into other memory.
   *
   * @param records stay as they are
   * @param sorted receives as many
   */
  void sort(MemorySegment records, MemorySegment sorted);

  /**
   * Sorts resident records where they are.
   *
   * @param offset of the first, in bytes
   * @param length of all together, in bytes
   * @throws IndexOutOfBoundsException if there are not so many bytes
   */
  void sort(ResidentBytes records, long offset, long length);

  /**
   * Finds the order without moving a record: entry i of {@code order} becomes the index, from 0 on,
   * of the record that comes i-th when they are sorted.
   *
   * @param records of which only the keys are read
   * @param order room for as many integers of native byte order, 32 or 64 bits each: which of the
   *     two, its size says. Those of 32 bits are unsigned
   */
  void argsort(MemorySegment records, MemorySegment order);

  /**
   * As {@link #argsort(MemorySegment, MemorySegment)}, of records that are resident; the order
   * becomes resident too.
   *
   * @param offset of the first record, in bytes
   * @param length of all records together, in bytes
   * @param order filled from its beginning to its end
   * @throws IndexOutOfBoundsException if there are not so many bytes of records
   */
  void argsort(ResidentBytes records, long offset, long length, ResidentBytes order);
}
