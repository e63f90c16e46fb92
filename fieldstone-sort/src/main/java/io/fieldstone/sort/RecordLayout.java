package io.fieldstone.sort;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * The place and the kind of the key in records of equal length. {@link RecordFormat} is the special
 * case of a key at the start, in native byte order, which engines sort directly. Immutable and
 * thread-safe.
 *
 * <p>A key is compared by its <em>ranks</em>: unsigned numbers of 64 bits, the first one first. A
 * number has one rank. A byte string has a rank for every eight bytes. Several keys share a rank as
 * long as they have 64 bits together.
 *
 * @param recordBytes the bytes of a record
 * @param keyOffset the bytes of a record before its key
 * @param key the kind of key
 * @param direction the order; records of equal keys keep their order in both directions
 */
public record RecordLayout(int recordBytes, int keyOffset, Key key, Direction direction) {

  /** The maximum bytes of a record. */
  public static final int MAX_RECORD_BYTES = RecordFormat.MAX_PAYLOAD_BYTES;

  private static final ValueLayout.OfLong BIG_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private static final int VALUES_OF_BYTE = 0xFF;

  /** A kind of key. */
  public sealed interface Key permits Numeric, ByteString, CompositeKey {

    /** Returns the bytes of a key. */
    int bytes();
  }

  /**
   * A number.
   *
   * @param type the type, which defines the order
   * @param order the order of its bytes
   */
  public record Numeric(KeyType type, ByteOrder order) implements Key {
    @Override
    public int bytes() {
      return type.bytes();
    }

    long rank(MemorySegment records, long at) {
      boolean isNative = order == ByteOrder.nativeOrder();
      long bits;
      if (type.bytes() == Integer.BYTES) {
        int key = records.get(ValueLayout.JAVA_INT_UNALIGNED, at);
        bits = isNative ? key : Integer.reverseBytes(key);
      } else {
        long key = records.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
        bits = isNative ? key : Long.reverseBytes(key);
      }
      return type.bitOrdered(bits);
    }

    /** Returns the type and, unless it is little-endian, the order of bytes. */
    @Override
    public String toString() {
      return type + (order.equals(ByteOrder.LITTLE_ENDIAN) ? "" : ", big-endian");
    }
  }

  /**
   * A string of bytes, compared as unsigned numbers from the first byte on.
   *
   * @param bytes its length, ≥ 1
   */
  public record ByteString(int bytes) implements Key {

    long rank(MemorySegment records, long at, int index) {
      int done = index * Long.BYTES;
      if (bytes - done >= Long.BYTES) {
        return records.get(BIG_LONG, at + done);
      }
      long rank = 0;
      for (int i = done; i < bytes; i++) {
        rank = rank << Byte.SIZE | records.get(JAVA_BYTE, at + i) & VALUES_OF_BYTE;
      }
      return rank;
    }

    /** Returns the length in words. */
    @Override
    public String toString() {
      return bytes + "-byte string";
    }
  }

  /**
   * Checks the sizes.
   *
   * @throws IllegalArgumentException if the key is empty or not in the record, or a record has more
   *     than {@link #MAX_RECORD_BYTES}
   */
  public RecordLayout {
    if (recordBytes < 1 || recordBytes > MAX_RECORD_BYTES) {
      throw new IllegalArgumentException(
          "records of %d bytes are not within 1 … %d".formatted(recordBytes, MAX_RECORD_BYTES));
    }
    if (key.bytes() < 1 || keyOffset < 0 || key.bytes() > recordBytes - keyOffset) {
      throw new IllegalArgumentException(
          "a key of %d bytes at byte %d is not in a record of %d bytes"
              .formatted(key.bytes(), keyOffset, recordBytes));
    }
  }

  /** Returns the layout of a format of engines. */
  public static RecordLayout of(RecordFormat format) {
    Key key = new Numeric(format.key(), ByteOrder.nativeOrder());
    return new RecordLayout(format.bytes(), 0, key, format.direction());
  }

  /** Returns the same layout as a format of engines, if there is one. */
  Optional<RecordFormat> format() {
    return keyOffset == 0
            && key instanceof Numeric(KeyType type, ByteOrder order)
            && order.equals(ByteOrder.nativeOrder())
        ? Optional.of(new RecordFormat(type, recordBytes - type.bytes(), direction))
        : Optional.empty();
  }

  /** Returns the number of ranks of a key. */
  public int ranks() {
    return switch (key) {
      case Numeric _ -> 1;
      case ByteString string -> Math.ceilDiv(string.bytes(), Long.BYTES);
      case CompositeKey keys -> keys.ranks();
    };
  }

  /**
   * Returns a rank of the key of the record at byte {@code offset}, for programs that compare or
   * divide records in the order of this layout. In descending order, a greater key has lesser
   * ranks.
   *
   * @param index the number of ranks before it
   */
  public long rank(MemorySegment records, long offset, int index) {
    long rank =
        switch (key) {
          case Numeric number -> number.rank(records, offset + keyOffset);
          case ByteString string -> string.rank(records, offset + keyOffset, index);
          case CompositeKey keys -> keys.rank(records, offset + keyOffset, index);
        };
    return direction == Direction.ASCENDING ? rank : ~rank;
  }

  /**
   * Compares the keys of two records from a rank on; records are at byte offsets.
   *
   * @param index the number of ranks that are known to be equal
   */
  int compare(MemorySegment first, long at, MemorySegment second, long secondAt, int index) {
    int order = 0;
    for (int i = index; i < ranks() && order == 0; i++) {
      order = Long.compareUnsigned(rank(first, at, i), rank(second, secondAt, i));
    }
    return order;
  }

  /**
   * Returns the key, the rest of the record and the direction, such as {@code 10-byte string in
   * records of 100 bytes, descending}.
   */
  @Override
  public String toString() {
    if (format().isPresent()) {
      return format().get().toString();
    }
    String place = keyOffset == 0 ? "" : " at byte " + keyOffset;
    return "%s%s in records of %d bytes%s"
        .formatted(key, place, recordBytes, direction == Direction.ASCENDING ? "" : ", descending");
  }
}
