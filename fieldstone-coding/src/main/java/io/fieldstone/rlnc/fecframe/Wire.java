package io.fieldstone.rlnc.fecframe;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Numbers in network byte order. */
final class Wire {

  /** The largest ESI, of 32 bits. */
  static final long MAX_ESI = 0xFFFF_FFFFL;

  static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private Wire() {}

  static int getByte(MemorySegment memory, long offset) {
    return Byte.toUnsignedInt(memory.get(ValueLayout.JAVA_BYTE, offset));
  }

  static int getShort(MemorySegment memory, long offset) {
    return Short.toUnsignedInt(memory.get(SHORT, offset));
  }

  static void requireIn(String name, long value, long first, long last) {
    if (value < first || value > last) {
      throw new IllegalArgumentException(name + " " + value + " is not in " + first + "…" + last);
    }
  }

  static void requireBytes(String name, MemorySegment memory, long least)
      throws MalformedDataException {
    if (memory.byteSize() < least) {
      throw new MalformedDataException(
          memory.byteSize(),
          "%s of %d bytes, at least %d".formatted(name, memory.byteSize(), least));
    }
  }
}
