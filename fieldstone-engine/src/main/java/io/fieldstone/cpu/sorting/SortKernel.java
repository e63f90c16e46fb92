package io.fieldstone.cpu.sorting;

import io.fieldstone.engine.sorting.RecordInput;
import io.fieldstone.engine.sorting.RecordOutput;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Sorts records of one {@link io.fieldstone.engine.sorting.RecordFormat}. Thread-safe. Arguments
 * are not checked: memory may have any kind and alignment, must be accessible to all threads, and
 * have the right size.
 */
interface SortKernel {

  /** Returns {@link io.fieldstone.engine.sorting.Sorting#minWorkingBytes}. */
  long minWorkingBytes(long records);

  /**
   * Sorts records.
   *
   * @param records whole records
   * @param sorted memory of the same size: the same memory, or memory that does not overlap it
   * @param limit maximum working memory in bytes, as in {@link
   *     io.fieldstone.engine.sorting.Sorting#withMemoryLimit}
   * @return the name of the method
   */
  String sort(MemorySegment records, MemorySegment sorted, long limit);

  /** Returns {@link io.fieldstone.engine.sorting.Sorting#minStreamingBytes}. */
  default long minStreamingBytes(long records) {
    return Long.MAX_VALUE;
  }

  /**
   * Sorts records by position, as {@link io.fieldstone.engine.sorting.Sorting#sort(long,
   * RecordInput, RecordOutput)} does.
   *
   * @param limit maximum working memory in bytes, as in {@link
   *     io.fieldstone.engine.sorting.Sorting#withMemoryLimit}
   * @return the name of the method; empty if nothing was written
   */
  default Optional<String> sort(long count, RecordInput input, RecordOutput output, long limit) {
    return Optional.empty();
  }

  /**
   * Writes the indices of records in the order of their keys.
   *
   * @param indexBytes bytes of an index: 4 or 8
   * @param limit maximum working memory in bytes, as in {@link
   *     io.fieldstone.engine.sorting.Sorting#withMemoryLimit}
   */
  void argsort(MemorySegment records, MemorySegment order, int indexBytes, long limit);
}
