package io.fieldstone.rlnc.object;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Writes numbers of RFC 9000, Section 16, in their shortest form. */
final class VarintWriter {

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private MemorySegment bytes = MemorySegment.NULL;
  private long position;

  /** Returns the bytes of a number of at most 2^62 − 1: 1, 2, 4 or 8. */
  static int bytes(long value) {
    if (value < 1 << 6) {
      return 1;
    }
    if (value < 1 << 14) {
      return 2;
    }
    return value < 1 << 30 ? 4 : 8;
  }

  /** Starts at the first byte. */
  void start(MemorySegment newBytes) {
    bytes = newBytes;
    position = 0;
  }

  long position() {
    return position;
  }

  long remaining() {
    return bytes.byteSize() - position;
  }

  /** Moves on over bytes that another writer has written. */
  void skip(long count) {
    position += count;
  }

  void writeByte(int value) {
    bytes.set(ValueLayout.JAVA_BYTE, position++, (byte) value);
  }

  void writeInt(int value) {
    bytes.set(INT, position, value);
    position += 4;
  }

  void writeVarint(long value) {
    switch (bytes(value)) {
      case 1 -> bytes.set(ValueLayout.JAVA_BYTE, position, (byte) value);
      case 2 -> bytes.set(SHORT, position, (short) (value | 0x4000));
      case 4 -> bytes.set(INT, position, (int) value | 0x8000_0000);
      default -> bytes.set(LONG, position, value | 0xC000_0000_0000_0000L);
    }
    position += bytes(value);
  }
}
