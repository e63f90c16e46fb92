package io.fieldstone.cpu;

import java.lang.foreign.MemorySegment;

/**
 * Sorts records of one {@link io.fieldstone.engine.RecordFormat}. Thread-safe; checks nothing:
 * memory is of any kind and alignment, for any thread, and of the right size.
 */
interface SortKernel {

  /** As of {@link io.fieldstone.engine.Sorting#workingBytesPerRecord}. */
  int workingBytesPerRecord();

  /**
   * Sorts.
   *
   * @param records whole records
   * @param sorted as many; the same memory, or none in common
   */
  void sort(MemorySegment records, MemorySegment sorted);

  /**
   * Writes the indices of records in the order of their keys.
   *
   * @param indexBytes of each: 4 or 8
   */
  void argsort(MemorySegment records, MemorySegment order, int indexBytes);
}
