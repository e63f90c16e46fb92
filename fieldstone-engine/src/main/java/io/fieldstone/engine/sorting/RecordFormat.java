package io.fieldstone.engine.sorting;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * The format of the records to sort: contiguous records of a key in native byte order, followed by
 * a payload. Records need no alignment.
 *
 * @param key the type of the keys
 * @param payloadBytes the bytes that follow each key, ≥ 0
 * @param direction the order; records of equal keys keep their order in both directions
 */
public record RecordFormat(KeyType key, int payloadBytes, Direction direction) {

  /** The maximum payload in bytes. */
  public static final int MAX_PAYLOAD_BYTES = 1 << 24;

  /** The direction of the order. */
  public enum Direction {
    /** Lesser keys first. */
    ASCENDING,

    /** Greater keys first; for floating-point keys NaN, then +∞. */
    DESCENDING
  }

  /**
   * Checks the size of the payload.
   *
   * @throws IllegalArgumentException if it is negative or more than {@link #MAX_PAYLOAD_BYTES}
   */
  public RecordFormat {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(direction, "direction");
    if (payloadBytes < 0 || payloadBytes > MAX_PAYLOAD_BYTES) {
      throw new IllegalArgumentException(
          "a payload of %d bytes is not within 0 … %d".formatted(payloadBytes, MAX_PAYLOAD_BYTES));
    }
  }

  /** Returns the format of keys without payload, ascending. */
  public static RecordFormat of(KeyType key) {
    return new RecordFormat(key, 0, Direction.ASCENDING);
  }

  /** Returns this format with a payload of {@code bytes} bytes. */
  public RecordFormat withPayload(int bytes) {
    return new RecordFormat(key, bytes, direction);
  }

  /** Returns this format in descending order. */
  public RecordFormat descending() {
    return new RecordFormat(key, payloadBytes, Direction.DESCENDING);
  }

  /** Returns the bytes of a record. */
  public int bytes() {
    return key.bytes() + payloadBytes;
  }

  /**
   * Maps the key of a record to an unsigned number by which records are sorted in ascending order.
   * Records of equal numbers keep their order.
   *
   * @param bits the key, as for {@link KeyType#bitOrdered}
   * @return the bits of a key, with zeros above
   */
  public long bitOrdered(long bits) {
    long rank = key.bitOrdered(bits);
    return direction == Direction.ASCENDING ? rank : rank ^ maxBitOrdered();
  }

  /** Returns the {@link #bitOrdered(long)} of the record at byte {@code offset}. */
  public long bitOrdered(MemorySegment records, long offset) {
    return bitOrdered(
        key.bytes() == Integer.BYTES
            ? records.get(JAVA_INT_UNALIGNED, offset)
            : records.get(JAVA_LONG_UNALIGNED, offset));
  }

  /** Returns the maximum of {@link #bitOrdered(long)}: ones in all bits of a key. */
  public long maxBitOrdered() {
    return -1L >>> (Long.SIZE - key.bytes() * Byte.SIZE);
  }

  /**
   * Returns the type, the payload and the direction, such as {@code f32, 12 bytes of payload,
   * descending}.
   */
  @Override
  public String toString() {
    return key
        + (payloadBytes == 0 ? "" : ", " + payloadBytes + " bytes of payload")
        + (direction == Direction.ASCENDING ? "" : ", descending");
  }
}
