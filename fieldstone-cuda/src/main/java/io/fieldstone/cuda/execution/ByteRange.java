package io.fieldstone.cuda.execution;

import java.util.ArrayList;
import java.util.List;

/**
 * Some of a run of bytes.
 *
 * @param offset of the first
 * @param bytes how many
 */
public record ByteRange(long offset, long bytes) {

  /**
   * What crosses the bus goes in pieces of so many bytes, half a millisecond each: enough that the
   * time between copies, and what the kernel takes after the last, are not felt.
   */
  public static final long TRANSFER_BYTES = 32L << 20;

  /** What is on the GPU is not cut. */
  public static final long RESIDENT_BYTES = 1L << 40;

  /** Pieces under way that cross the bus: one going up, one at the kernel, one that waits. */
  public static final int TRANSFER_DEPTH = 3;

  /** A run of bytes in spans of {@code most}, the last one shorter. */
  public static List<ByteRange> split(long bytes, long most) {
    List<ByteRange> spans = new ArrayList<>();
    for (long offset = 0; offset < bytes; offset += most) {
      spans.add(new ByteRange(offset, Math.min(most, bytes - offset)));
    }
    return spans;
  }

  /** The same, each of whole records of so many bytes, though one be more than {@code most}. */
  public static List<ByteRange> split(long bytes, long most, int recordBytes) {
    return split(bytes, Math.max(1, most / recordBytes) * recordBytes);
  }

  /** Bytes of the longest. */
  public static long maxBytes(List<ByteRange> spans) {
    return spans.stream().mapToLong(ByteRange::bytes).max().orElse(0);
  }
}
