package io.fieldstone.engine.sorting;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * What is sorted: records one after another without gaps, each a key in native byte order and then
 * bytes that go where the key goes. Nothing has to be aligned.
 *
 * @param key what is compared
 * @param payloadBytes that follow each key, ≥ 0
 * @param direction which end comes first; records of equal keys stay in the order they had in
 *     either
 */
public record RecordFormat(KeyType key, int payloadBytes, Direction direction) {

  /** More would not be sorted but moved about. */
  public static final int MAX_PAYLOAD_BYTES = 1 << 24;

  /** Which end comes first. */
  public enum Direction {
    /** The least key first. */
    ASCENDING,

    /** The greatest key first; among floating-point numbers NaN, then +∞. */
    DESCENDING
  }

  /**
   * Checks the payload.
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

  /** Keys alone, ascending. */
  public static RecordFormat of(KeyType key) {
    return new RecordFormat(key, 0, Direction.ASCENDING);
  }

  /** The same with {@code bytes} after each key. */
  public RecordFormat withPayload(int bytes) {
    return new RecordFormat(key, bytes, direction);
  }

  /** The same with the greatest key first. */
  public RecordFormat descending() {
    return new RecordFormat(key, payloadBytes, Direction.DESCENDING);
  }

  /** Bytes of a record. */
  public int bytes() {
    return key.bytes() + payloadBytes;
  }

  /**
   * Where a record stands among all, as an unsigned number: the record of the lesser rank comes
   * first, and records of equal rank stay in their order.
   *
   * @param bits of its key, as {@link KeyType#bitOrdered} takes them
   * @return a rank of as many bits as a key has, zeros above it
   */
  public long bitOrdered(long bits) {
    long rank = key.bitOrdered(bits);
    return direction == Direction.ASCENDING ? rank : rank ^ mostRank();
  }

  /** The {@link #bitOrdered(long)} of the record that begins at byte {@code offset}. */
  public long bitOrdered(MemorySegment records, long offset) {
    return bitOrdered(
        key.bytes() == Integer.BYTES
            ? records.get(JAVA_INT_UNALIGNED, offset)
            : records.get(JAVA_LONG_UNALIGNED, offset));
  }

  /** A rank of ones: that of no record before another. */
  public long mostRank() {
    return -1L >>> (Long.SIZE - key.bytes() * Byte.SIZE);
  }

  /**
   * Returns the type and what else is said, such as {@code f32, 12 bytes of payload, descending}.
   */
  @Override
  public String toString() {
    return key
        + (payloadBytes == 0 ? "" : ", " + payloadBytes + " bytes of payload")
        + (direction == Direction.ASCENDING ? "" : ", descending");
  }
}
