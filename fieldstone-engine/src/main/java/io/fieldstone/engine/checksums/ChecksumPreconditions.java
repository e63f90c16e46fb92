package io.fieldstone.engine.checksums;

import io.fieldstone.engine.memory.Extents;
import java.lang.foreign.MemorySegment;

/**
 * Checks registers and messages of a division. Every engine calls these methods before it writes
 * anything. Each throws {@link IllegalArgumentException} if its arguments do not agree, and {@link
 * IndexOutOfBoundsException} for indices that do not exist.
 */
public final class ChecksumPreconditions {

  private ChecksumPreconditions() {}

  /** Checks that a register has no bits beyond the degree of the divisor. */
  public static void requireRegister(Divisor divisor, long register) {
    if (!divisor.modulus().isRemainder(register)) {
      throw new IllegalArgumentException(
          "register 0x%X has more than %d bits".formatted(register, divisor.degree()));
    }
  }

  /**
   * Checks that messages lie within {@code bytes} bytes, and that there is room for their
   * registers.
   */
  public static void requireMessages(Extents messages, long bytes, MemorySegment registers) {
    messages.requireWithin(bytes);
    if (registers.byteSize() / Long.BYTES != messages.count()
        || registers.byteSize() % Long.BYTES != 0) {
      throw new IllegalArgumentException(
          "%d bytes do not fit the registers of %d messages"
              .formatted(registers.byteSize(), messages.count()));
    }
    if (registers.isReadOnly()) {
      throw new IllegalArgumentException("the registers' memory is read-only");
    }
  }

  /** Checks the arguments of {@link PolynomialSieve#sift}. */
  public static void requireSieve(int width, int bits, long from, long to) {
    if (width < PolynomialSieve.MIN_WIDTH || width > PolynomialSieve.MAX_WIDTH) {
      throw new IllegalArgumentException(
          "width %d is not in %d…%d"
              .formatted(width, PolynomialSieve.MIN_WIDTH, PolynomialSieve.MAX_WIDTH));
    }
    if (bits <= width || bits > PolynomialSieve.MAX_BITS) {
      throw new IllegalArgumentException(
          "%d bits are not in %d…%d".formatted(bits, width + 1, PolynomialSieve.MAX_BITS));
    }
    if (from < 0 || to < from || to > 1L << width - 1) {
      throw new IllegalArgumentException(
          "polynomials %d to %d are not in 0…%d".formatted(from, to, 1L << width - 1));
    }
  }
}
