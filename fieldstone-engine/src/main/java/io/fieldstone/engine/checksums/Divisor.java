package io.fieldstone.engine.checksums;

import io.fieldstone.field.Gf2Modulus;
import java.util.Objects;

/**
 * A polynomial that messages are divided by, and the order in which bits are read.
 *
 * <p>The first byte of a message has its highest powers. A <em>register</em> holds a remainder: bit
 * i is the coefficient of x<sup>i</sup> for either order of bits.
 *
 * @param modulus the polynomial, of degree 1 to 64, with a constant term
 * @param lowBitFirst true if the least significant bit of each byte is read first ({@code refin} of
 *     the Rocksoft model)
 */
public record Divisor(Gf2Modulus modulus, boolean lowBitFirst) {

  /**
   * Checks that the polynomial has a constant term.
   *
   * @throws IllegalArgumentException if x divides the polynomial
   */
  public Divisor {
    Objects.requireNonNull(modulus, "modulus");
    if (!modulus.isOdd()) {
      throw new IllegalArgumentException(
          "x divides %s; a divisor has the constant term 1".formatted(modulus));
    }
  }

  /** Returns the width of a register in bits. */
  public int degree() {
    return modulus.degree();
  }

  /**
   * Converts a register to an overlay: the little-endian word that has the effect of the register
   * when it is added to the next eight bytes of a message.
   *
   * <p>An overlay is processed from its low end for either order of bits: {@code state =
   * table[(state ^ next byte) & 0xFF] ^ state >>> 8}, where {@code table[b]} is the overlay of the
   * register after the single byte b.
   */
  public long overlay(long register) {
    return lowBitFirst
        ? Long.reverse(register) >>> (Long.SIZE - degree())
        : Long.reverseBytes(register << (Long.SIZE - degree()));
  }

  /** Converts an {@link #overlay} back to a register. */
  public long register(long overlay) {
    return lowBitFirst
        ? Long.reverse(overlay) >>> (Long.SIZE - degree())
        : Long.reverseBytes(overlay) >>> (Long.SIZE - degree());
  }

  // Written out, as in Gf2Modulus: the JVM makes those of records when they are first called, which
  // takes a tenth of a short command.
  @Override
  public boolean equals(Object other) {
    return other instanceof Divisor divisor
        && modulus.equals(divisor.modulus)
        && lowBitFirst == divisor.lowBitFirst;
  }

  @Override
  public int hashCode() {
    return 31 * modulus.hashCode() + Boolean.hashCode(lowBitFirst);
  }

  /**
   * Returns the polynomial and the order of bits, such as {@code x^16 + 0x1021, high bit first}.
   */
  @Override
  public String toString() {
    return modulus + (lowBitFirst ? ", low bit first" : ", high bit first");
  }
}
