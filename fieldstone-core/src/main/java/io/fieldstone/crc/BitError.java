package io.fieldstone.crc;

/**
 * One bit of a message that is not what it was.
 *
 * @param offset of its byte from the beginning of the message
 * @param bit its number in that byte, 0 for the least significant
 */
public record BitError(long offset, int bit) {

  /** What to XOR the byte with to set it right. */
  public byte mask() {
    return (byte) (1 << bit);
  }

  /** Returns where it is, such as {@code byte 41, bit 3}. */
  @Override
  public String toString() {
    return "byte " + offset + ", bit " + bit;
  }
}
