package io.fieldstone.engine.sorting;

import io.fieldstone.engine.memory.MemoryPreconditions;
import java.lang.foreign.MemorySegment;

/**
 * Checks records, and the memory for sorted records and orders. Every engine calls these methods
 * before it writes anything. Each throws {@link IllegalArgumentException} if its arguments do not
 * agree, and {@link IndexOutOfBoundsException} for indices that do not exist.
 */
public final class SortPreconditions {

  private SortPreconditions() {}

  /**
   * Checks that bytes are a whole number of records.
   *
   * @return the number of records
   */
  public static long requireRecords(RecordFormat format, long bytes) {
    return requireRecords(format.bytes(), format, bytes);
  }

  /**
   * Checks that bytes are a whole number of records of any layout.
   *
   * @param recordBytes the bytes of a record, ≥ 1
   * @param layout describes the records in the message
   * @return the number of records
   */
  public static long requireRecords(int recordBytes, Object layout, long bytes) {
    if (bytes % recordBytes != 0) {
      throw new IllegalArgumentException(
          "size %d is not a multiple of %d, the bytes of a record (%s)"
              .formatted(bytes, recordBytes, layout));
    }
    return bytes / recordBytes;
  }

  /** Checks that a number of records is not negative. */
  public static void requireCount(long records) {
    if (records < 0) {
      throw new IllegalArgumentException("%d records are fewer than 0".formatted(records));
    }
  }

  /**
   * Checks that {@code records} are whole records, and that {@code sorted} has their size and does
   * not overlap them.
   *
   * @return the number of records
   */
  public static long requireRecords(
      RecordFormat format, MemorySegment records, MemorySegment sorted) {
    long count = requireRecords(format, records.byteSize());
    if (sorted.byteSize() != records.byteSize()) {
      throw new IllegalArgumentException(
          "a destination of %d bytes for %d bytes of records"
              .formatted(sorted.byteSize(), records.byteSize()));
    }
    MemoryPreconditions.requireWritable("the sorted records", sorted);
    requireApart(records, sorted);
    return count;
  }

  /**
   * Checks that bytes have room for the order of {@code count} records.
   *
   * @return the bytes of an index: 4 or 8
   */
  public static int requireOrder(long count, long bytes) {
    boolean isShort = bytes == count * Integer.BYTES && count <= 1L << Integer.SIZE;
    if (!isShort && bytes != count * Long.BYTES) {
      throw new IllegalArgumentException(
          "%d bytes for the order of %d records, expected 4 or 8 bytes per record"
              .formatted(bytes, count));
    }
    return isShort ? Integer.BYTES : Long.BYTES;
  }

  /**
   * Checks that {@code records} are whole records, and that {@code order} has room for their order
   * and does not overlap them.
   *
   * @return the bytes of an index: 4 or 8
   */
  public static int requireOrder(RecordFormat format, MemorySegment records, MemorySegment order) {
    int indexBytes = requireOrder(requireRecords(format, records.byteSize()), order.byteSize());
    MemoryPreconditions.requireWritable("the order", order);
    requireApart(records, order);
    return indexBytes;
  }

  private static void requireApart(MemorySegment records, MemorySegment results) {
    records
        .asOverlappingSlice(results)
        .ifPresent(common -> {
          throw new IllegalArgumentException(
              "records and results overlap in %d bytes".formatted(common.byteSize()));
        });
  }
}
