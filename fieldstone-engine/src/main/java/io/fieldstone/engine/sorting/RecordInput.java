package io.fieldstone.engine.sorting;

import java.lang.foreign.MemorySegment;

/**
 * Records outside memory that an engine reads by position, such as those of a file. Called by
 * several threads at once.
 */
@FunctionalInterface
public interface RecordInput {

  /**
   * Reads whole records.
   *
   * @param position the offset of the first record in bytes
   * @param to filled completely; valid only during the call
   * @throws RuntimeException if they cannot be read; the sort ends with this exception
   */
  void read(long position, MemorySegment to);
}
