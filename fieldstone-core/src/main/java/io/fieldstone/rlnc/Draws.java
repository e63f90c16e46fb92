package io.fieldstone.rlnc;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The random draws behind coding vectors: bytes of Philox output by (generation, index, domain). */
final class Draws {

  /** Counter word 3: keeps the draws of different purposes apart. */
  enum Domain {
    DENSE,
    SPARSE,
    PIPELINE,
    RECODE
  }

  private static final ValueLayout.OfLong LITTLE_ENDIAN_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int CHUNK_BYTES = 16;

  private Draws() {}

  /** Fills {@code vector} with uniform bytes: byte j is byte j of the draw. */
  static void uniform(
      Domain domain, long seed, long generation, long index, MemorySegment vector) {
    long[] words = new long[2];
    long n = vector.byteSize();
    for (long at = 0; at < n; at += CHUNK_BYTES) {
      chunk(domain, seed, generation, index, at / CHUNK_BYTES, words);
      if (at + CHUNK_BYTES <= n) {
        vector.set(LITTLE_ENDIAN_LONG, at, words[0]);
        vector.set(LITTLE_ENDIAN_LONG, at + Long.BYTES, words[1]);
      } else {
        for (long j = at; j < n; j++) {
          vector.set(ValueLayout.JAVA_BYTE, j, (byte) byteOf(words, (int) (j - at)));
        }
      }
    }
  }

  /**
   * Coefficient j takes bytes 2j and 2j + 1 of the draw: nonzero if the first is ≤ threshold, with
   * value 1 + ⌊255·second / 256⌋. If all are zero, the chunk after the last gives position (its first
   * 32 bits mod n) and value (as above, from its fifth byte).
   */
  static void sparse(
      int threshold, long seed, long generation, long index, MemorySegment vector) {
    long[] words = new long[2];
    long n = vector.byteSize();
    boolean allZero = true;
    for (long j = 0; j < n; j++) {
      int at = (int) (2 * j % CHUNK_BYTES);
      if (at == 0) {
        chunk(Domain.SPARSE, seed, generation, index, 2 * j / CHUNK_BYTES, words);
      }
      boolean nonzero = byteOf(words, at) <= threshold;
      vector.set(ValueLayout.JAVA_BYTE, j, nonzero ? nonzeroByte(byteOf(words, at + 1)) : 0);
      allZero &= !nonzero;
    }
    if (allZero && n > 0) {
      chunk(
          Domain.SPARSE, seed, generation, index, (2 * n + CHUNK_BYTES - 1) / CHUNK_BYTES, words);
      vector.set(
          ValueLayout.JAVA_BYTE,
          Integer.remainderUnsigned((int) words[0], (int) n),
          nonzeroByte(byteOf(words, 4)));
    }
  }

  /**
   * Coefficients 0 … sequenceNumber − 1 are uniform as in {@link #uniform}, coefficient
   * sequenceNumber is 1 + ⌊255·b / 256⌋ of its byte b, the rest are zero.
   */
  static void pipelined(
      int sequenceNumber, long seed, long generation, long index, MemorySegment vector) {
    MemorySegment support = vector.asSlice(0, sequenceNumber + 1L);
    uniform(Domain.PIPELINE, seed, generation, index, support);
    int last = support.get(ValueLayout.JAVA_BYTE, sequenceNumber) & 0xFF;
    support.set(ValueLayout.JAVA_BYTE, sequenceNumber, nonzeroByte(last));
    vector.asSlice(sequenceNumber + 1L).fill((byte) 0);
  }

  private static void chunk(
      Domain domain, long seed, long generation, long index, long chunk, long[] words) {
    Philox.block(
        seed,
        chunk | (generation << 32),
        (index & 0xFFFF_FFFFL) | ((long) domain.ordinal() << 32),
        words,
        0);
  }

  private static int byteOf(long[] words, int at) {
    return (int) (words[at >>> 3] >>> ((at & 7) << 3)) & 0xFF;
  }

  private static byte nonzeroByte(int uniform) {
    return (byte) (1 + (255 * uniform >> 8));
  }
}
