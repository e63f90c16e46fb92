package io.fieldstone.cpu.sorting;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import java.lang.foreign.MemorySegment;

/**
 * The records of a segment whose floating-point key is NaN. All NaNs have one rank, so they keep
 * their order, after all numbers in ascending order and before them in descending order.
 */
final class NanRecords {

  private static final int INFINITY_32 = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
  private static final long INFINITY_64 = Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);

  private final MemorySegment records;
  private final int recordBytes;
  private final boolean are32;
  private final boolean areLast;
  private final long bytes;

  /** Counts the records of a format whose key is NaN. */
  NanRecords(RecordFormat format, MemorySegment records) {
    this.records = records;
    this.recordBytes = format.bytes();
    this.are32 = format.key().bytes() == Integer.BYTES;
    this.areLast = format.direction() == Direction.ASCENDING;
    long nans = 0;
    for (long at = 0; at < records.byteSize(); at += recordBytes) {
      nans += isNan(at) ? 1 : 0;
    }
    this.bytes = nans * recordBytes;
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
    if (areLast) {
      separateForwards(spare);
    } else {
      separateBackwards(spare);
    }
    long numbers = records.byteSize() - bytes;
    MemorySegment.copy(spare, 0, records, areLast ? numbers : 0, bytes);
    return records.asSlice(areLast ? 0 : bytes, numbers);
  }

  /** Moves the records between two NaNs at once, towards the start. */
  private void separateForwards(MemorySegment spare) {
    long size = records.byteSize();
    long nans = 0;
    long start = 0;
    for (long at = 0; nans < bytes; at += recordBytes) {
      if (isNan(at)) {
        MemorySegment.copy(records, start, records, start - nans, at - start);
        MemorySegment.copy(records, at, spare, nans, recordBytes);
        nans += recordBytes;
        start = at + recordBytes;
      }
    }
    MemorySegment.copy(records, start, records, start - nans, size - start);
  }

  /** Moves the records between two NaNs at once, towards the end. */
  private void separateBackwards(MemorySegment spare) {
    long nans = 0;
    long end = records.byteSize();
    for (long at = end - recordBytes; nans < bytes; at -= recordBytes) {
      if (isNan(at)) {
        long start = at + recordBytes;
        nans += recordBytes;
        MemorySegment.copy(records, start, records, start + nans - recordBytes, end - start);
        MemorySegment.copy(records, at, spare, bytes - nans, recordBytes);
        end = at;
      }
    }
    MemorySegment.copy(records, 0, records, nans, end);
  }

  private boolean isNan(long at) {
    return are32
        ? (records.get(JAVA_INT_UNALIGNED, at) & Integer.MAX_VALUE) > INFINITY_32
        : (records.get(JAVA_LONG_UNALIGNED, at) & Long.MAX_VALUE) > INFINITY_64;
  }
}
