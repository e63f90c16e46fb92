package io.fieldstone.crc;

/**
 * A wrong bit of a message or of the checksum that was sent behind it.
 *
 * @param position the bits before it, of the message and then the checksum, in the order in which
 *     they are divided
 * @param inChecksum whether it is a bit of the checksum
 * @param offset the offset of its byte from the start of the message; 0 in the checksum
 * @param bit the number of the bit in its byte, or in the number that is the checksum; 0 is the
 *     least significant
 */
public record WrongBit(long position, boolean inChecksum, long offset, int bit) {

  /** Returns the place, such as {@code byte 41, bit 3} or {@code checksum, bit 3}. */
  @Override
  public String toString() {
    return inChecksum ? "checksum, bit " + bit : "byte " + offset + ", bit " + bit;
  }
}
