package io.fieldstone.cuda.execution;

import java.util.ArrayList;
import java.util.List;

/**
 * A range of bytes.
 *
 * @param offset the offset of the first byte
 * @param bytes the length
 */
public record ByteRange(long offset, long bytes) {

  /**
   * The size of pieces that cross the bus, half a millisecond each. The time between copies, and
   * that of the last kernel, are then negligible.
   */
  public static final long TRANSFER_BYTES = 32L << 20;

  /** The size of pieces of resident data, which is never split. */
  public static final long RESIDENT_BYTES = 1L << 40;

  /**
   * The number of concurrent pieces that cross the bus: one in upload, one in a kernel, one
   * waiting.
   */
  public static final int TRANSFER_DEPTH = 3;

  /** Splits a number of bytes into ranges of {@code maxBytes}; the last may be shorter. */
  public static List<ByteRange> split(long bytes, long maxBytes) {
    List<ByteRange> ranges = new ArrayList<>();
    for (long offset = 0; offset < bytes; offset += maxBytes) {
      ranges.add(new ByteRange(offset, Math.min(maxBytes, bytes - offset)));
    }
    return ranges;
  }

  /**
   * Splits at multiples of {@code recordBytes}; a range has at least one record, even if that
   * exceeds {@code maxBytes}.
   */
  public static List<ByteRange> split(long bytes, long maxBytes, int recordBytes) {
    return split(bytes, Math.max(1, maxBytes / recordBytes) * recordBytes);
  }

  /** Returns the length of the longest range. */
  public static long maxBytes(List<ByteRange> ranges) {
    return ranges.stream().mapToLong(ByteRange::bytes).max().orElse(0);
  }
}
