package io.fieldstone.crc.design;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A set of remainders of up to 64 bits that may contain some more: one bit for each hash. If it has
 * as many bits as there are remainders, it is exact, since the hash is then a permutation.
 */
final class SumFilter {

  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
  private static final int MAX_LOG_BITS = 33;

  private final int width;

  /** The logarithm of the maximum quotient of entries and bits. */
  private final int logSpace;

  /** An odd number times 2^(64 − width), so that products have the hash in their high bits. */
  private final long factor;

  private final int initialLogBits;

  /** The words of each size that was needed; a polynomial that fails early needs the least. */
  private final long[] @Nullable [] sizes = new long[MAX_LOG_BITS + 1][];

  private int logBits;
  private long[] words = {};

  /**
   * Creates an empty set.
   *
   * @param width the bits of a remainder
   * @param logBits the logarithm of its initial bits
   * @param logSpace the logarithm of the bits for an entry that it has at least while it can grow
   */
  SumFilter(int width, int logBits, int logSpace) {
    this.width = width;
    this.logSpace = logSpace;
    this.factor = MIX << Long.SIZE - width;
    this.initialLogBits = Math.clamp(logBits, 6, Math.max(6, width));
    resize(initialLogBits);
  }

  /** Makes it empty, and as small as in the beginning. */
  void clear() {
    resize(initialLogBits);
  }

  private void resize(int newLogBits) {
    logBits = newLogBits;
    long[] known = sizes[newLogBits];
    if (known == null) {
      known = new long[1 << newLogBits - 6];
      sizes[newLogBits] = known;
    } else {
      Arrays.fill(known, 0);
    }
    words = known;
  }

  boolean isExact() {
    return logBits >= width;
  }

  /** Tests whether it must grow before it has some number of entries. */
  boolean isFull(long entries) {
    return entries << logSpace > 1L << logBits && logBits < Math.min(width, MAX_LOG_BITS);
  }

  /** Makes it larger and empty. */
  void grow() {
    resize(Math.min(Math.min(width, MAX_LOG_BITS), logBits + 2));
  }

  void add(long remainder) {
    long hash = remainder * factor >>> Long.SIZE - logBits;
    words[(int) (hash >>> 6)] |= 1L << hash;
  }

  boolean mayContain(long remainder) {
    long hash = remainder * factor >>> Long.SIZE - logBits;
    return (words[(int) (hash >>> 6)] >>> hash & 1) != 0;
  }
}
