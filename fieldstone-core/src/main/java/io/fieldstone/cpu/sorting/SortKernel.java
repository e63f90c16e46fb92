package io.fieldstone.cpu.sorting;

import java.lang.foreign.MemorySegment;

/**
 * Sorts records of one {@link io.fieldstone.engine.sorting.RecordFormat}. Thread-safe; checks
 * nothing: memory is of any kind and alignment, for any thread, and of the right size.
 */
interface SortKernel {

  /** As of {@link io.fieldstone.engine.sorting.Sorting#minWorkingBytes}. */
  long minWorkingBytes(long records);

  /**
   * Sorts.
   *
   * @param records whole records
   * @param sorted as many; the same memory, or none in common
   * @param limit as of {@link io.fieldstone.engine.sorting.Sorting#within}
   */
  void sort(MemorySegment records, MemorySegment sorted, long limit);

  /**
   * Writes the indices of records in the order of their keys.
   *
   * @param indexBytes of each: 4 or 8
   * @param limit as of {@link io.fieldstone.engine.sorting.Sorting#within}
   */
  void argsort(MemorySegment records, MemorySegment order, int indexBytes, long limit);
}
