package io.fieldstone.crc;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** The state of a checksum: what remains of the bytes so far. For one thread at a time. */
interface CrcState {

  /** Appends a byte. */
  void update(int value);

  /**
   * Appends part of an array.
   *
   * @throws IndexOutOfBoundsException if the range exceeds the array
   */
  void update(byte[] bytes, int offset, int length);

  /** Appends the remaining bytes of a buffer, and sets its position to its limit. */
  void update(ByteBuffer buffer);

  /**
   * Appends memory.
   *
   * @throws IllegalStateException if it has been freed, or is freed during the call
   */
  void update(MemorySegment bytes);

  /** Returns the checksum of the appended bytes. */
  CrcValue value();

  /** Returns to the state before the first byte. */
  void reset();

  /** Returns an independent copy. */
  CrcState copy();
}
