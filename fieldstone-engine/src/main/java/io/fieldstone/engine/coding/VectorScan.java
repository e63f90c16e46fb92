package io.fieldstone.engine.coding;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Examines the coefficients of a coding vector. Every method reads {@code n} bytes of {@code rows}
 * from {@code offset} on, and allocates no memory.
 */
public final class VectorScan {

  /** The result of {@link #unitIndex} for a zero vector. */
  public static final int ZERO = -1;

  /** The result of {@link #unitIndex} for a vector that is neither zero nor a unit vector. */
  public static final int COMBINED = -2;

  private static final ValueLayout.OfLong LITTLE_ENDIAN_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** 2^64 divided by the golden ratio: a multiplier that spreads bits. */
  private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

  private VectorScan() {}

  /**
   * Returns j if the vector is the unit vector with 1 at j; otherwise {@link #ZERO} or {@link
   * #COMBINED}.
   */
  public static int unitIndex(MemorySegment rows, long offset, int n) {
    int unit = ZERO;
    for (int at = 0; at < n; at += Long.BYTES) {
      long word = word(rows, offset, at, n);
      if (word != 0) {
        int bit = Long.numberOfTrailingZeros(word);
        if (unit != ZERO || bit % Byte.SIZE != 0 || word != 1L << bit) {
          return COMBINED;
        }
        unit = at + bit / Byte.SIZE;
      }
    }
    return unit;
  }

  /** Returns the position after the last nonzero coefficient; 0 for a zero vector. */
  public static int support(MemorySegment rows, long offset, int n) {
    for (int at = (n - 1) & -Long.BYTES; at >= 0; at -= Long.BYTES) {
      long word = word(rows, offset, at, n);
      if (word != 0) {
        return at + Long.BYTES - Long.numberOfLeadingZeros(word) / Byte.SIZE;
      }
    }
    return 0;
  }

  /** Returns a hash of the vector; equal vectors have equal hashes. */
  public static long hash(MemorySegment rows, long offset, int n) {
    long hash = n;
    for (int at = 0; at < n; at += Long.BYTES) {
      hash = (hash ^ word(rows, offset, at, n)) * SPREAD;
      hash ^= hash >>> 32;
    }
    return hash;
  }

  /** Returns coefficients at … at + 7, the first in the low byte, with zeros after the last. */
  private static long word(MemorySegment rows, long offset, int at, int n) {
    if (at + Long.BYTES <= n) {
      return rows.get(LITTLE_ENDIAN_LONG, offset + at);
    }
    long word = 0;
    for (int i = n - 1; i >= at; i--) {
      word = word << Byte.SIZE | rows.get(ValueLayout.JAVA_BYTE, offset + i) & 0xFF;
    }
    return word;
  }
}
