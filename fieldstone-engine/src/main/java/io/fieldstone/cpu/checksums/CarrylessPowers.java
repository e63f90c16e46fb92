package io.fieldstone.cpu.checksums;

import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.field.Gf2Modulus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Makes the powers of x that {@code fs_divide} of checksums.c multiplies by: 16 words.
 *
 * <p>Words 2i and 2i + 1 are the factors of the first and the second half of a lane of 16 bytes,
 * for a fold over 16·2<sup>i</sup> bytes, i = 0 … 5. The last four are of D, the divisor times
 * x<sup>64 − degree</sup>: x<sup>128</sup> mod D, twice, D, and the quotient x<sup>128</sup> / D,
 * both without their term x<sup>64</sup>.
 *
 * <p>If the low bit of a byte is read first, bits of lanes and words are in reverse. Then a product
 * is x times too small, and the powers are one less.
 */
final class CarrylessPowers {

  /** Bytes of a lane. */
  private static final int LANE_BYTES = 16;

  /** The number of distances. */
  private static final int DISTANCES = 6;

  private static final int WORDS = 2 * DISTANCES + 4;

  private static final long ALIGNMENT = 64;

  private CarrylessPowers() {}

  static MemorySegment of(Divisor divisor) {
    boolean low = divisor.lowBitFirst();
    Gf2Modulus modulus = divisor.modulus();
    long[] words = new long[WORDS];
    for (int i = 0; i < DISTANCES; i++) {
      long bits = (long) LANE_BYTES * Byte.SIZE << i;
      // The first half of a lane has the high powers if the low bit is read first.
      words[2 * i] = low ? reversedPower(modulus, bits + Long.SIZE) : modulus.xToThe(bits);
      words[2 * i + 1] = low ? reversedPower(modulus, bits) : modulus.xToThe(bits + Long.SIZE);
    }
    Gf2Modulus scaled = Gf2Modulus.of(Long.SIZE, modulus.terms() << (Long.SIZE - modulus.degree()));
    int last = 2 * DISTANCES;
    long square = 2L * Long.SIZE;
    words[last] = low ? reversedPower(scaled, square) : scaled.xToThe(square);
    words[last + 1] = words[last];
    words[last + 2] = low ? Long.reverse(scaled.terms()) : scaled.terms();
    words[last + 3] = low ? Long.reverse(quotient(scaled)) : quotient(scaled);
    MemorySegment memory = Arena.ofAuto().allocate((long) WORDS * Long.BYTES, ALIGNMENT);
    return memory.copyFrom(MemorySegment.ofArray(words));
  }

  private static long reversedPower(Gf2Modulus modulus, long exponent) {
    return Long.reverse(modulus.xToThe(exponent - 1));
  }

  /** Returns x<sup>128</sup> divided by a modulus of degree 64, without the term x<sup>64</sup>. */
  private static long quotient(Gf2Modulus modulus) {
    long quotient = 0;
    long remainder = modulus.terms();
    for (int bit = 0; bit < Long.SIZE; bit++) {
      quotient = quotient << 1 | remainder >>> (Long.SIZE - 1);
      remainder = modulus.timesX(remainder);
    }
    return quotient;
  }
}
