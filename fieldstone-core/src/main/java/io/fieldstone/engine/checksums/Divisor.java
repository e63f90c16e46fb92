package io.fieldstone.engine.checksums;

import io.fieldstone.field.Gf2Modulus;
import java.util.Objects;

/**
 * What messages of bytes are divided by: a polynomial, and how bytes are read as polynomials.
 *
 * <p>The first byte of a message has its highest powers. A <em>register</em> is a remainder as the
 * modulus has it, bit i the coefficient of x<sup>i</sup>, whichever way the bytes are read.
 *
 * @param modulus the polynomial, of degree 1 to 64 and with a constant term
 * @param lowBitFirst whether the first bit of a byte, the one of the highest power, is its least
 *     significant ({@code refin} of the Rocksoft model), rather than its most significant
 */
public record Divisor(Gf2Modulus modulus, boolean lowBitFirst) {

  /**
   * Checks that the polynomial has a constant term.
   *
   * @throws IllegalArgumentException if x divides it: its remainders would be those of a shorter
   *     one, with zeros after them
   */
  public Divisor {
    Objects.requireNonNull(modulus, "modulus");
    if (!modulus.isOdd()) {
      throw new IllegalArgumentException(
          "x divides %s; a divisor has the constant term 1".formatted(modulus));
    }
  }

  /** Width of a register in bits. */
  public int degree() {
    return modulus.degree();
  }

  /**
   * Where a register takes part in the next eight bytes of a message: the bytes which, added to
   * those eight, do what the register does, read as a little-endian word.
   *
   * <p>In this form bytes are passed from its low end upwards for either order of bits: {@code
   * state = table[(state ^ next byte) & 0xFF] ^ state >>> 8}, where {@code table[b]} is this form
   * of the register after the one byte b.
   */
  public long overlay(long register) {
    return lowBitFirst
        ? Long.reverse(register) >>> (Long.SIZE - degree())
        : Long.reverseBytes(register << (Long.SIZE - degree()));
  }

  /** The register that an {@link #overlay} is of. */
  public long register(long overlay) {
    return lowBitFirst
        ? Long.reverse(overlay) >>> (Long.SIZE - degree())
        : Long.reverseBytes(overlay) >>> (Long.SIZE - degree());
  }

  /**
   * Returns the polynomial and the order of bits, such as {@code x^16 + 0x1021, high bit first}.
   */
  @Override
  public String toString() {
    return modulus + (lowBitFirst ? ", low bit first" : ", high bit first");
  }
}
