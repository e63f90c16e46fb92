package io.fieldstone.cpu.sorting;

import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import java.lang.foreign.MemorySegment;

/**
 * The records of a segment whose floating-point key is NaN. All NaNs have one rank, so they keep
 * their order, after all numbers in ascending order and before them in descending order.
 */
final class NanRecords {

  private final RecordFormat format;
  private final MemorySegment records;
  private final NanKeys keys;
  private final long bytes;

  /** Counts the records of a format whose key is NaN. */
  NanRecords(RecordFormat format, MemorySegment records) {
    this.format = format;
    this.records = records;
    this.keys = NanKeys.of(format);
    long nans = 0;
    for (long at = 0; at < records.byteSize(); at += format.bytes()) {
      nans += keys.isNan(records, at) ? 1 : 0;
    }
    this.bytes = nans * format.bytes();
  }

  /** Returns the bytes of the records with NaN. */
  long bytes() {
    return bytes;
  }

  /**
   * Moves the records with NaN to their place, and the others together; both keep their order.
   *
   * @param spare at least {@link #bytes} bytes
   * @return the records without NaN
   */
  MemorySegment separate(MemorySegment spare) {
    compact(spare);
    long numbers = records.byteSize() - bytes;
    boolean areLast = format.direction() == Direction.ASCENDING;
    if (!areLast) {
      MemorySegment.copy(records, 0, records, bytes, numbers);
    }
    MemorySegment.copy(spare, 0, records, areLast ? numbers : 0, bytes);
    return records.asSlice(areLast ? 0 : bytes, numbers);
  }

  /** Copies the records with NaN to {@code to}, and moves the others to the start. */
  private void compact(MemorySegment to) {
    int recordBytes = format.bytes();
    long nans = 0;
    long start = 0;
    for (long at = 0; nans < bytes; at += recordBytes) {
      if (keys.isNan(records, at)) {
        // The records between two NaNs are moved at once.
        MemorySegment.copy(records, start, records, start - nans, at - start);
        MemorySegment.copy(records, at, to, nans, recordBytes);
        nans += recordBytes;
        start = at + recordBytes;
      }
    }
    MemorySegment.copy(records, start, records, start - nans, records.byteSize() - start);
  }
}
