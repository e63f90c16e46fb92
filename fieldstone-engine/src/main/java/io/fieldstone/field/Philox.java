package io.fieldstone.field;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random
 * numbers: as easy as 1, 2, 3" (SC 2011), as in the Random123 library: 128 bits of counter and 64
 * bits of key give 128 random bits, without state, so that any engine can generate any part of any
 * coding vector.
 */
public final class Philox {

  private static final int MULTIPLIER_0 = 0xD2511F53;
  private static final int MULTIPLIER_1 = 0xCD9E8D57;

  /** Weyl increments of the key: the golden ratio and √3 − 1, each times 2^32. */
  private static final int WEYL_0 = 0x9E3779B9;

  private static final int WEYL_1 = 0xBB67AE85;
  private static final int ROUNDS = 10;
  private static final long LOW = 0xFFFF_FFFFL;

  /** The random bytes of one counter. */
  private static final int BLOCK_BYTES = 16;

  private static final ValueLayout.OfLong LITTLE_ENDIAN_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Philox() {}

  /**
   * Fills memory with the blocks of counters (0, counter1, counter2, counter3), (1, …), …, each 16
   * bytes, words in order and little-endian; the last block is cut off where the memory ends.
   *
   * @param key the seed
   * @param counter1 counter word 1
   * @param counter23 counter words 2 (low half) and 3 (high half)
   * @param target receives the bytes
   * @param offset the offset of the first byte in {@code target}
   * @param length the number of bytes
   */
  public static void fill(
      long key, int counter1, long counter23, MemorySegment target, long offset, int length) {
    // Stays in registers: it never leaves this method, its indices are constants, and one place
    // calls block, so that the call is hot and compiled in.
    long[] block = new long[2];
    long counter01 = (long) counter1 << 32;
    for (int at = 0; at < length; at += BLOCK_BYTES) {
      block(key, counter01++, counter23, block, 0);
      store(block[0], target, offset + at, length - at);
      store(block[1], target, offset + at + Long.BYTES, length - at - Long.BYTES);
    }
  }

  /**
   * Writes the low bytes of half a block, the lowest first, as {@link #fill} does.
   *
   * @param word the half block
   * @param target receives the bytes
   * @param offset the offset of the first byte in {@code target}
   * @param count the number of bytes, limited to 0 … 8
   */
  public static void store(long word, MemorySegment target, long offset, int count) {
    if (count >= Long.BYTES) {
      target.set(LITTLE_ENDIAN_LONG, offset, word);
      return;
    }
    for (int i = 0; i < count; i++) {
      target.set(ValueLayout.JAVA_BYTE, offset + i, (byte) (word >>> (i * Byte.SIZE)));
    }
  }

  /**
   * Computes the random bits of one counter.
   *
   * @param key the seed; its low 32 bits are Random123's key[0]
   * @param counter01 counter words 0 (low half) and 1 (high half)
   * @param counter23 counter words 2 (low half) and 3 (high half)
   * @param out receives words 0 and 1 in {@code out[at]}, words 2 and 3 in {@code out[at + 1]}, the
   *     lower-numbered word in the low half
   */
  public static void block(long key, long counter01, long counter23, long[] out, int at) {
    int c0 = (int) counter01;
    int c1 = (int) (counter01 >>> 32);
    int c2 = (int) counter23;
    int c3 = (int) (counter23 >>> 32);
    int k0 = (int) key;
    int k1 = (int) (key >>> 32);
    for (int round = 0; round < ROUNDS; round++) {
      long product0 = (MULTIPLIER_0 & LOW) * (c0 & LOW);
      long product1 = (MULTIPLIER_1 & LOW) * (c2 & LOW);
      c0 = (int) (product1 >>> 32) ^ c1 ^ k0;
      c2 = (int) (product0 >>> 32) ^ c3 ^ k1;
      c1 = (int) product1;
      c3 = (int) product0;
      k0 += WEYL_0;
      k1 += WEYL_1;
    }
    out[at] = (c0 & LOW) | ((long) c1 << 32);
    out[at + 1] = (c2 & LOW) | ((long) c3 << 32);
  }
}
