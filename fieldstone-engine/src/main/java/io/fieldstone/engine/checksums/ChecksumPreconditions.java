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
}
