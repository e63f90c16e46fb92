package io.fieldstone.rlnc.backup;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32;

/**
 * The CRC-32 of a window of k bytes that moves by one byte at a time. The checksum is an affine
 * function of the bytes. So a byte that leaves the window changes it by a value that depends on
 * that byte only.
 *
 * <p>Immutable and thread-safe.
 */
final class RollingCrc {

  /** x^32 + … + 1, the lowest bit first. */
  private static final int POLYNOMIAL = 0xEDB88320;

  private static final int VALUES = 256;
  private static final int BYTE = VALUES - 1;

  /** The state of the register after one byte. */
  private static final int[] NEXT = next();

  /** The change by a byte that leaves. */
  private final int[] leaving = new int[VALUES];

  /**
   * Creates the table of a window.
   *
   * @param bytes k ≥ 1
   */
  RollingCrc(int bytes) {
    byte[] window = new byte[bytes + 1];
    int zeros = of(MemorySegment.ofArray(new byte[bytes]));
    // CRC(v, 0 … 0) with k zeros, less CRC(0 … 0) with k zeros: affine in the bits of v.
    int none = of(MemorySegment.ofArray(window)) ^ zeros;
    for (int bit = 1; bit < VALUES; bit <<= 1) {
      window[0] = (byte) bit;
      leaving[bit] = of(MemorySegment.ofArray(window)) ^ zeros ^ none;
    }
    for (int value = 1; value < VALUES; value++) {
      int low = value & -value;
      leaving[value] = leaving[value - low] ^ leaving[low];
    }
    for (int value = 0; value < VALUES; value++) {
      leaving[value] ^= none;
    }
  }

  private static int[] next() {
    int[] table = new int[VALUES];
    for (int value = 0; value < VALUES; value++) {
      int register = value;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        register = register >>> 1 ^ (register & 1) * POLYNOMIAL;
      }
      table[value] = register;
    }
    return table;
  }

  /** Returns the CRC-32 of bytes. */
  static int of(MemorySegment bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes.asByteBuffer());
    return (int) crc.getValue();
  }

  /**
   * Returns the checksum after the window has moved by one byte.
   *
   * @param crc the checksum before
   * @param out the byte that leaves
   * @param in the byte that enters
   */
  int moved(int crc, byte out, byte in) {
    int register = ~crc;
    return ~(register >>> Byte.SIZE ^ NEXT[(register ^ in) & BYTE]) ^ leaving[out & BYTE];
  }
}
