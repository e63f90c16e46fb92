package io.fieldstone.crc.identification;

import io.fieldstone.crc.CrcValue;
import java.util.ArrayList;
import java.util.List;

/**
 * The orders of bits and bytes.
 *
 * @param refin true if bytes are read least significant bit first
 * @param refout true if the register is reflected at the end
 * @param isLittleEndian true if the checksum is written least significant byte first
 */
record Orientation(boolean refin, boolean refout, boolean isLittleEndian) {

  /** Returns the orders for a width, those in common use first. */
  static List<Orientation> of(int width) {
    List<Orientation> all = new ArrayList<>();
    for (boolean isLittleEndian : List.of(false, true)) {
      if (!isLittleEndian || width % Byte.SIZE == 0 && width > Byte.SIZE) {
        all.add(new Orientation(false, false, isLittleEndian));
        all.add(new Orientation(true, true, isLittleEndian));
        all.add(new Orientation(true, false, isLittleEndian));
        all.add(new Orientation(false, true, isLittleEndian));
      }
    }
    return all;
  }

  /** Converts a checksum as written to the register. */
  CrcValue register(CrcValue written) {
    CrcValue value = isLittleEndian ? bytesReversed(written) : written;
    return refout ? value.reflected() : value;
  }

  private static CrcValue bytesReversed(CrcValue value) {
    CrcValue reflected = value.reflected();
    // Bits in reverse, and the bits of each byte again in reverse.
    return new CrcValue(
        value.width(), bitsReversed(reflected.high()), bitsReversed(reflected.low()));
  }

  private static long bitsReversed(long bytes) {
    return Long.reverseBytes(Long.reverse(bytes));
  }
}
