package io.fieldstone.crc;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Divides messages byte by byte in registers of more than 64 bits, which no engine has, on the
 * calling thread.
 *
 * <p>The state is the register as an overlay of the next sixteen bytes of the message, in two
 * little-endian words. So one loop serves either order of bits (see {@link
 * io.fieldstone.engine.checksums.Divisor#overlay} for eight bytes).
 */
final class BytewiseDivider implements Divider {

  static final String METHOD = "bytewise";

  private static final int VALUES = 256;

  /** The bytes that are copied at a time from memory that is not an array. */
  private static final int COPIED_BYTES = 1 << 13;

  private final int width;
  private final boolean lowBitFirst;

  /** The state after each byte value: the low and the high word of the overlay. */
  private final long[] next = new long[VALUES];

  private final long[] later = new long[VALUES];

  BytewiseDivider(CrcModel model) {
    width = model.width();
    lowBitFirst = model.refin();
    WideModulus modulus = model.modulus();
    for (int b = 0; b < VALUES; b++) {
      CrcValue overlay = overlay(modulus.appendByte(CrcValue.zeros(width), (byte) b, lowBitFirst));
      next[b] = overlay.low();
      later[b] = overlay.high();
    }
  }

  @Override
  public CrcValue append(CrcValue register, MemorySegment message) {
    byte[] copy = new byte[(int) Math.min(COPIED_BYTES, message.byteSize())];
    CrcValue remainder = register;
    for (long done = 0; done < message.byteSize(); done += copy.length) {
      int bytes = (int) Math.min(copy.length, message.byteSize() - done);
      MemorySegment.copy(message, JAVA_BYTE, done, copy, 0, bytes);
      remainder = append(remainder, copy, 0, bytes);
    }
    return remainder;
  }

  @Override
  public CrcValue append(CrcValue register, byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    CrcValue overlay = overlay(register);
    long low = overlay.low();
    long high = overlay.high();
    for (int i = offset; i < offset + length; i++) {
      int index = (int) (low ^ bytes[i]) & VALUES - 1;
      low = next[index] ^ (low >>> Byte.SIZE | high << Long.SIZE - Byte.SIZE);
      high = later[index] ^ high >>> Byte.SIZE;
    }
    return register(new CrcValue(CrcValue.MAX_WIDTH, high, low));
  }

  @Override
  public CrcValue append(CrcValue register, ResidentBytes data, long offset, long length) {
    MemorySegment copy = MemorySegment.ofArray(new byte[(int) Math.min(COPIED_BYTES, length)]);
    CrcValue remainder = register;
    for (long done = 0; done < length; done += copy.byteSize()) {
      MemorySegment part = copy.asSlice(0, Math.min(copy.byteSize(), length - done));
      data.read(offset + done, part);
      remainder = append(remainder, part);
    }
    return remainder;
  }

  @Override
  public Division division() {
    throw new IllegalArgumentException("checksums of %d bits do not fit longs".formatted(width));
  }

  @Override
  public String method() {
    return METHOD;
  }

  private CrcValue overlay(CrcValue register) {
    CrcValue reversed = register.reflected();
    if (lowBitFirst) {
      return reversed.resized(CrcValue.MAX_WIDTH);
    }
    // Reflected twice, once as a whole and once in each byte, bytes are in reverse and bits are
    // not.
    return new CrcValue(
        CrcValue.MAX_WIDTH,
        bitsOfBytesReversed(reversed.high()),
        bitsOfBytesReversed(reversed.low()));
  }

  private CrcValue register(CrcValue overlay) {
    CrcValue reversed =
        lowBitFirst
            ? overlay
            : new CrcValue(
                CrcValue.MAX_WIDTH,
                bitsOfBytesReversed(overlay.high()),
                bitsOfBytesReversed(overlay.low()));
    return reversed.resized(width).reflected();
  }

  private static long bitsOfBytesReversed(long word) {
    return Long.reverseBytes(Long.reverse(word));
  }
}
