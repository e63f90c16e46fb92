package io.fieldstone.crc;

/**
 * A single bit error in a message.
 *
 * @param offset the offset of the byte from the start of the message
 * @param bit the number of the bit in its byte, 0 for the least significant
 */
public record BitError(long offset, int bit) {

  /** Returns the mask that corrects the byte by XOR. */
  public byte mask() {
    return (byte) (1 << bit);
  }

  /** Returns the position, such as {@code byte 41, bit 3}. */
  @Override
  public String toString() {
    return "byte " + offset + ", bit " + bit;
  }
}
