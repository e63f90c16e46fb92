package io.fieldstone.crc.identification;

import io.fieldstone.crc.CrcValue;
import java.util.Arrays;

/**
 * The bytes that a CRC covers, and the place of its field in a frame.
 *
 * @param from the bytes before the covered ones
 * @param behind the bytes behind the covered ones, the field included if it is there
 * @param field the offset of the field, from the end of the frame if it is negative; {@link #NONE}
 *     if the checksum is given apart
 * @param width the bits of the checksum
 */
record Placement(int from, int behind, int field, int width) {

  /** The field of a checksum that is given apart. */
  static final int NONE = Integer.MAX_VALUE;

  /** Returns the placement of a checksum that is given apart and covers a whole message. */
  static Placement whole(int width) {
    return new Placement(0, 0, NONE, width);
  }

  /** Returns the placement of a field of whole bytes at the end, which covers all before it. */
  static Placement atEnd(int width) {
    int bytes = width / Byte.SIZE;
    return new Placement(0, bytes, -bytes, width);
  }

  /** Returns true if the samples have so many bytes. */
  boolean fits(Sample sample) {
    return sample.length() - behind - from >= (from == 0 ? 0 : 1);
  }

  /** Returns the bytes that are covered. */
  byte[] message(Sample sample) {
    return Arrays.copyOfRange(sample.shared(), from, sample.length() - behind);
  }

  /** Returns the checksum as it is written. */
  CrcValue checksum(Sample sample) {
    if (field == NONE) {
      return sample.checksum().orElseThrow();
    }
    int at = field < 0 ? sample.length() + field : field;
    long high = 0;
    long low = 0;
    for (int i = 0; i < width / Byte.SIZE; i++) {
      high = high << Byte.SIZE | low >>> -Byte.SIZE;
      low = low << Byte.SIZE | sample.shared()[at + i] & 0xFF;
    }
    return new CrcValue(width, high, low);
  }
}
