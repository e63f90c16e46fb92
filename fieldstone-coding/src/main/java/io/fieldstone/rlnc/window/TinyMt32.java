package io.fieldstone.rlnc.window;

/**
 * TinyMT32, the pseudorandom generator of RFC 8682: 127 bits of state, seeded with 32 bits. Equal
 * seeds give equal sequences everywhere, so that a repair packet contains a seed instead of its
 * coefficients.
 *
 * <p>Not for cryptography. Mutable; for one thread.
 *
 * <p>Source: RFC 8682, section 2; the parameters are those of its section 2.1.
 */
public final class TinyMt32 {

  private static final int MAT1 = 0x8F7011EE;
  private static final int MAT2 = 0xFC78FF1F;
  private static final int TMAT = 0x3793FDFF;

  /** Knuth's multiplier of the initialization, as in Mersenne Twister. */
  private static final int INITIALIZATION_MULTIPLIER = 1812433253;

  /** Rounds of the initialization, and states skipped after it. */
  private static final int INITIALIZATION_ROUNDS = 8;

  /** The state has 127 bits: the top bit of its first word is not part of it. */
  private static final int FIRST_WORD_MASK = 0x7FFF_FFFF;

  private int status0;
  private int status1;
  private int status2;
  private int status3;

  /**
   * Seeds a generator.
   *
   * @param seed any 32 bits, which are read as an unsigned number
   */
  public TinyMt32(int seed) {
    status0 = seed;
    status1 = MAT1;
    status2 = MAT2;
    status3 = TMAT;
    // Round i mixes word (i − 1) mod 4 into word i mod 4. RFC 8682 has a loop from 1 to 7.
    for (int i = 0; i < INITIALIZATION_ROUNDS; i += 4) {
      if (i > 0) {
        status0 ^= mixed(status3, i);
      }
      status1 ^= mixed(status0, i + 1);
      status2 ^= mixed(status1, i + 2);
      status3 ^= mixed(status2, i + 3);
    }
    for (int i = 0; i < INITIALIZATION_ROUNDS; i++) {
      advance();
    }
  }

  private static int mixed(int previous, int round) {
    return round + INITIALIZATION_MULTIPLIER * (previous ^ (previous >>> 30));
  }

  private void advance() {
    int x = (status0 & FIRST_WORD_MASK) ^ status1 ^ status2;
    x ^= x << 1;
    int y = status3;
    y ^= (y >>> 1) ^ x;
    int odd = -(y & 1);
    status0 = status1;
    status1 = status2 ^ (odd & MAT1);
    status2 = x ^ (y << 10) ^ (odd & MAT2);
    status3 = y;
  }

  /**
   * Returns the next 32 bits ({@code tinymt32_generate_uint32}).
   *
   * @return an unsigned number; see {@link Integer#toUnsignedLong}
   */
  public int next() {
    advance();
    int sum = status0 + (status2 >>> 8);
    return status3 ^ sum ^ (-(sum & 1) & TMAT);
  }

  /** Returns a number in 0 … 15, the low 4 bits of {@link #next} ({@code tinymt32_rand16}). */
  public int rand16() {
    return next() & 0xF;
  }

  /** Returns a number in 0 … 255, the low 8 bits of {@link #next} ({@code tinymt32_rand256}). */
  public int rand256() {
    return next() & 0xFF;
  }
}
