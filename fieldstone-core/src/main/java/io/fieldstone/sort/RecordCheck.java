package io.fieldstone.sort;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.engine.sorting.RecordFormat;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/**
 * Sees records pass, in as many pieces as one likes, and finds the first that is out of order and a
 * fingerprint of all of them whatever their order: the sum of a hash of each. If what went in has
 * the fingerprint of what came out, then nothing was lost, made up or altered; by chance that is
 * wrong once in 2^64.
 *
 * <p>For one thread.
 */
public final class RecordCheck {

  /** Odd, without structure: the fraction of the golden ratio. */
  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  private final RecordFormat format;
  private long seen;
  private long fingerprint;
  private long lastRank;
  private OptionalLong outOfOrder = OptionalLong.empty();

  /** Nothing seen yet. */
  public RecordCheck(RecordFormat format) {
    this.format = format;
  }

  /**
   * Sees the records that come next.
   *
   * @throws IllegalArgumentException if they are not whole
   */
  public void add(MemorySegment records) {
    int bytes = format.bytes();
    if (records.byteSize() % bytes != 0) {
      throw new IllegalArgumentException(
          "%d bytes are not records of %d".formatted(records.byteSize(), bytes));
    }
    for (long at = 0; at < records.byteSize(); at += bytes) {
      long rank = format.bitOrdered(records, at);
      if (Long.compareUnsigned(rank, lastRank) < 0 && outOfOrder.isEmpty()) {
        outOfOrder = OptionalLong.of(seen);
      }
      lastRank = rank;
      fingerprint += hash(records, at, bytes);
      seen++;
    }
  }

  /** How many were seen. */
  public long records() {
    return seen;
  }

  /** The same for the same records in any order. */
  public long fingerprint() {
    return fingerprint;
  }

  /** The index of the first record that should have come before the one in front of it. */
  public OptionalLong outOfOrder() {
    return outOfOrder;
  }

  private static long hash(MemorySegment records, long offset, int bytes) {
    long hash = bytes;
    int at = 0;
    for (; at + Long.BYTES <= bytes; at += Long.BYTES) {
      hash = mix(hash ^ records.get(JAVA_LONG_UNALIGNED, offset + at));
    }
    long rest = 0;
    for (int shift = 0; at < bytes; at++, shift += Byte.SIZE) {
      rest |= Byte.toUnsignedLong(records.get(JAVA_BYTE, offset + at)) << shift;
    }
    return mix(hash ^ rest);
  }

  /** A bijection in which every bit of the input moves every bit of the output. */
  private static long mix(long value) {
    long x = (value ^ value >>> 32) * MULTIPLIER;
    x = (x ^ x >>> 29) * MULTIPLIER;
    return x ^ x >>> 32;
  }
}
