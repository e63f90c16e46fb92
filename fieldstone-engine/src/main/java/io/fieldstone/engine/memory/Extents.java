package io.fieldstone.engine.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * The offsets and lengths of a batch of messages in a memory segment or in resident bytes. Does not
 * own the memory of the messages.
 */
public sealed interface Extents {

  /** Returns the number of messages. */
  long count();

  /** Returns the offset of message {@code index} in bytes. */
  long offset(long index);

  /** Returns the length of message {@code index} in bytes. */
  long length(long index);

  /**
   * Returns messages {@code first} … {@code first + count − 1}.
   *
   * @throws IndexOutOfBoundsException if the range exceeds the messages
   */
  Extents slice(long first, long count);

  /** Returns a copy of the extents that the caller cannot change. */
  Extents copy();

  /** Returns the total length of the messages in bytes. */
  long totalLength();

  /**
   * Checks that every message lies within {@code bytes} bytes.
   *
   * @throws IndexOutOfBoundsException if a message does not; the message names the first
   */
  void requireWithin(long bytes);

  /**
   * Returns {@code count} messages of {@code length} bytes, each {@code stride} bytes after the
   * previous one.
   */
  static Extents equal(long count, long offset, long stride, long length) {
    return new Equal(count, offset, stride, length);
  }

  /**
   * Returns messages with individual offsets and lengths.
   *
   * @param offsets the offset of each message in bytes, longs of native byte order
   * @param lengths the length of each message in bytes, longs of native byte order
   */
  static Extents listed(MemorySegment offsets, MemorySegment lengths) {
    return new Listed(offsets, lengths);
  }

  /** Returns messages with individual offsets and lengths, in bytes; the arrays are not copied. */
  static Extents listed(long[] offsets, long[] lengths) {
    return new Listed(MemorySegment.ofArray(offsets), MemorySegment.ofArray(lengths));
  }

  /**
   * Messages of equal length at equal distances.
   *
   * @param count the number of messages, ≥ 0
   * @param offset the offset of the first message in bytes, ≥ 0
   * @param stride the distance of successive offsets in bytes, ≥ 0; messages overlap if it is less
   *     than the length
   * @param length the length of each message in bytes, ≥ 0
   */
  record Equal(long count, long offset, long stride, long length) implements Extents {

    /**
     * Checks that all values are at least 0.
     *
     * @throws IllegalArgumentException if a value is negative
     */
    public Equal {
      requireAtLeast0("count", count);
      requireAtLeast0("offset", offset);
      requireAtLeast0("stride", stride);
      requireAtLeast0("length", length);
    }

    @Override
    public long offset(long index) {
      return offset + Objects.checkIndex(index, count) * stride;
    }

    @Override
    public long length(long index) {
      Objects.checkIndex(index, count);
      return length;
    }

    @Override
    public Equal slice(long first, long count) {
      Objects.checkFromIndexSize(first, count, this.count);
      return new Equal(count, count == 0 ? offset : offset + first * stride, stride, length);
    }

    @Override
    public Equal copy() {
      return this;
    }

    @Override
    public long totalLength() {
      return Math.multiplyExact(count, length);
    }

    @Override
    public void requireWithin(long bytes) {
      if (count == 0) {
        return;
      }
      boolean fits =
          length <= bytes
              && offset <= bytes - length
              && (stride == 0 || count - 1 <= (bytes - length - offset) / stride);
      if (!fits) {
        throw new IndexOutOfBoundsException(
            "%d messages of %d bytes, stride %d from byte %d on, exceed %d bytes"
                .formatted(count, length, stride, offset, bytes));
      }
    }

    private static void requireAtLeast0(String name, long value) {
      if (value < 0) {
        throw new IllegalArgumentException(name + " " + value + " is less than 0");
      }
    }
  }

  /**
   * Messages with individual offsets and lengths.
   *
   * @param offsets the offset of each message in bytes, longs of native byte order
   * @param lengths the length of each message in bytes, longs of native byte order
   */
  record Listed(MemorySegment offsets, MemorySegment lengths) implements Extents {

    /**
     * Checks that offsets and lengths are equally many whole longs.
     *
     * @throws IllegalArgumentException if they are not
     */
    public Listed {
      if (offsets.byteSize() != lengths.byteSize() || offsets.byteSize() % Long.BYTES != 0) {
        throw new IllegalArgumentException(
            "%d bytes of offsets and %d of lengths are not the same number of longs"
                .formatted(offsets.byteSize(), lengths.byteSize()));
      }
    }

    @Override
    public long count() {
      return offsets.byteSize() / Long.BYTES;
    }

    @Override
    public long offset(long index) {
      return offsets.get(JAVA_LONG_UNALIGNED, index * Long.BYTES);
    }

    @Override
    public long length(long index) {
      return lengths.get(JAVA_LONG_UNALIGNED, index * Long.BYTES);
    }

    @Override
    public Listed slice(long first, long count) {
      Objects.checkFromIndexSize(first, count, count());
      long from = first * Long.BYTES;
      long bytes = count * Long.BYTES;
      return new Listed(offsets.asSlice(from, bytes), lengths.asSlice(from, bytes));
    }

    @Override
    public Listed copy() {
      return new Listed(copy(offsets), copy(lengths));
    }

    private static MemorySegment copy(MemorySegment longs) {
      return MemorySegment.ofArray(longs.toArray(JAVA_LONG_UNALIGNED));
    }

    @Override
    public long totalLength() {
      long total = 0;
      for (long i = 0; i < count(); i++) {
        total = Math.addExact(total, length(i));
      }
      return total;
    }

    @Override
    public void requireWithin(long bytes) {
      for (long i = 0; i < count(); i++) {
        long offset = offset(i);
        long length = length(i);
        if ((offset | length) < 0 || offset > bytes - length) {
          throw new IndexOutOfBoundsException(
              "message %d, %d bytes from byte %d on, exceeds %d bytes"
                  .formatted(i, length, offset, bytes));
        }
      }
    }
  }
}
