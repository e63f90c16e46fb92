package io.fieldstone.engine.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Where each of many messages lies in one piece of memory. Owns nothing. */
public sealed interface Extents {

  /** How many messages. */
  long count();

  /** Where message {@code index} begins, in bytes. */
  long offset(long index);

  /** How many bytes message {@code index} has. */
  long length(long index);

  /**
   * Messages {@code first} … {@code first + count − 1}.
   *
   * @throws IndexOutOfBoundsException if there are not so many
   */
  Extents slice(long first, long count);

  /** The same messages, in a list that nobody else can change. */
  Extents copy();

  /** Bytes of all messages together. */
  long totalLength();

  /**
   * Checks that every message lies within so many bytes.
   *
   * @throws IndexOutOfBoundsException naming the first that does not
   */
  void requireWithin(long bytes);

  /** {@code count} messages of {@code length} bytes, {@code stride} bytes from one to the next. */
  static Extents equal(long count, long offset, long stride, long length) {
    return new Equal(count, offset, stride, length);
  }

  /**
   * Messages listed one by one.
   *
   * @param offsets of each message, longs of native byte order
   * @param lengths of each message, as many
   */
  static Extents listed(MemorySegment offsets, MemorySegment lengths) {
    return new Listed(offsets, lengths);
  }

  /** Messages listed one by one, in arrays that the list goes on to use. */
  static Extents listed(long[] offsets, long[] lengths) {
    return new Listed(MemorySegment.ofArray(offsets), MemorySegment.ofArray(lengths));
  }

  /**
   * Messages of the same length at equal distances.
   *
   * @param count how many, ≥ 0
   * @param offset where the first begins, ≥ 0
   * @param stride bytes from the beginning of one to that of the next, ≥ 0; less than the length if
   *     they overlap
   * @param length of each in bytes, ≥ 0
   */
  record Equal(long count, long offset, long stride, long length) implements Extents {

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is negative
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
            "%d messages of %d bytes, %d apart from byte %d on, are not within %d bytes"
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
   * Messages wherever they are.
   *
   * @param offsets of each message in bytes, longs of native byte order
   * @param lengths of each message in bytes, as many
   */
  record Listed(MemorySegment offsets, MemorySegment lengths) implements Extents {

    /**
     * Checks that there are as many offsets as lengths.
     *
     * @throws IllegalArgumentException if there are not, or they are not whole longs
     */
    public Listed {
      if (offsets.byteSize() != lengths.byteSize() || offsets.byteSize() % Long.BYTES != 0) {
        throw new IllegalArgumentException(
            "offsets of %d bytes and lengths of %d are not as many longs"
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
              "message %d, %d bytes from byte %d on, is not within %d bytes"
                  .formatted(i, length, offset, bytes));
        }
      }
    }
  }
}
