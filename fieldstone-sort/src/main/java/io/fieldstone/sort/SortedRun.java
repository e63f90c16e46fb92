package io.fieldstone.sort;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Consecutive records of a file, which are sorted.
 *
 * @param file the file
 * @param first the number of its records before the run
 * @param records the number of records of the run
 */
record SortedRun(RecordFile file, long first, long records) {

  /** Reads the records from a position of the run on until {@code to} is full. */
  void read(MemorySegment to, long position, int recordBytes) throws IOException {
    file.readFully(to, (first + position) * recordBytes);
  }
}
