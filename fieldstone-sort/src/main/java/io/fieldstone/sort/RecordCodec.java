package io.fieldstone.sort;

import java.lang.foreign.MemorySegment;

/**
 * Converts records of a file to records that are sorted in their place, and back. Thread-safe.
 *
 * <p>Memory of records of the file has {@value #SLACK_BYTES} more bytes at its end, which may be
 * read and written: so any part of a record is moved eight bytes at a time.
 */
interface RecordCodec {

  int SLACK_BYTES = Long.BYTES;

  /** Returns the bytes of a record in the file. */
  int fileBytes();

  /** Returns the bytes of a record that is sorted. */
  int itemBytes();

  /**
   * Converts records of the file.
   *
   * @param records they, and {@value #SLACK_BYTES} bytes
   * @param first the number of records of the file before them
   * @param items receives as many records
   */
  void toItems(MemorySegment records, long first, MemorySegment items);

  /**
   * Converts records back.
   *
   * @param records receives as many records; {@value #SLACK_BYTES} bytes after them are overwritten
   */
  void toRecords(MemorySegment items, MemorySegment records);
}
