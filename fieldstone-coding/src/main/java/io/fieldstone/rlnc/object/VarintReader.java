package io.fieldstone.rlnc.object;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Reads numbers of RFC 9000, Section 16, of which each has exactly one valid form here: the
 * shortest.
 */
final class VarintReader {

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private MemorySegment bytes = MemorySegment.NULL;
  private long position;

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

  int readByte() throws MalformedDataException {
    require(1);
    return bytes.get(ValueLayout.JAVA_BYTE, position++) & 0xFF;
  }

  int readInt() throws MalformedDataException {
    require(4);
    int value = bytes.get(INT, position);
    position += 4;
    return value;
  }

  /** Reads a number of at most 2^62 − 1. */
  long readVarint() throws MalformedDataException {
    require(1);
    int first = bytes.get(ValueLayout.JAVA_BYTE, position) & 0xFF;
    int length = 1 << (first >>> 6);
    require(length);
    long value =
        switch (length) {
          case 1 -> first;
          case 2 -> bytes.get(SHORT, position) & 0x3FFF;
          case 4 -> bytes.get(INT, position) & 0x3FFF_FFFF;
          default -> bytes.get(LONG, position) & 0x3FFF_FFFF_FFFF_FFFFL;
        };
    if (length != VarintWriter.bytes(value)) {
      throw new MalformedDataException(
          position,
          "%d in %d bytes, not in %d".formatted(value, length, VarintWriter.bytes(value)));
    }
    position += length;
    return value;
  }

  /** Reads a number that is less than {@code bound}. */
  int readVarint(String name, int bound) throws MalformedDataException {
    long at = position;
    long value = readVarint();
    if (value >= bound) {
      throw new MalformedDataException(
          at, "%s %d is not less than %d".formatted(name, value, bound));
    }
    return (int) value;
  }

  private void require(int count) throws MalformedDataException {
    if (remaining() < count) {
      throw new MalformedDataException(
          position, "%d bytes where %d are needed".formatted(remaining(), count));
    }
  }
}
