package io.fieldstone.crc;

import java.lang.foreign.MemorySegment;

/**
 * The remainder of some parts of a message, as if all other bytes were zero and the register began
 * at zero. Because division is linear, the remainders of all parts add up to that of the message.
 * For one thread at a time.
 */
final class PartialSum {

  private final Crc crc;
  private final WideModulus modulus;
  private CrcValue register;

  /** The end of the last part. */
  private long position;

  /** The last number of zero bytes, and x to the power of their bits. Gaps are often equal. */
  private long gap;

  private CrcValue factor;

  PartialSum(Crc crc) {
    this.crc = crc;
    modulus = crc.model().modulus();
    register = CrcValue.zeros(modulus.degree());
    factor = modulus.one();
  }

  /**
   * Adds a part.
   *
   * @param offset of the part in the message, not before the end of the previous part
   */
  void add(long offset, MemorySegment part) {
    advance(offset);
    register = crc.append(register, part);
    position = offset + part.byteSize();
  }

  /** Returns the remainder at the end of a message of {@code length} bytes. */
  CrcValue at(long length) {
    advance(length);
    return register;
  }

  private void advance(long offset) {
    long zeros = offset - position;
    if (zeros > 0 && !register.equals(CrcValue.zeros(register.width()))) {
      if (zeros != gap) {
        gap = zeros;
        factor = modulus.xToTheBytes(zeros);
      }
      register = modulus.multiply(register, factor);
    }
    position = offset;
  }
}
