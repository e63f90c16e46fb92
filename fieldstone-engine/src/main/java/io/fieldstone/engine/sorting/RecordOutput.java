package io.fieldstone.engine.sorting;

import java.lang.foreign.MemorySegment;

/**
 * Receives sorted records by position, such as into a file. Called by several threads at once, for
 * positions in no particular order.
 */
@FunctionalInterface
public interface RecordOutput {

  /**
   * Writes whole records.
   *
   * @param position the offset of the first record in bytes
   * @param from valid only during the call
   * @throws RuntimeException if they cannot be written; the sort ends with this exception
   */
  void write(long position, MemorySegment from);
}
