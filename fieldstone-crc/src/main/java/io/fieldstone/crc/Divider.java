package io.fieldstone.crc;

import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;

/** Divides messages by the polynomial of one {@link CrcModel}. Thread-safe. */
interface Divider {

  /** Returns the register after a message of any length. */
  CrcValue append(CrcValue register, MemorySegment message);

  /**
   * Returns the register after part of an array.
   *
   * @throws IndexOutOfBoundsException if the range exceeds the array
   */
  CrcValue append(CrcValue register, byte[] bytes, int offset, int length);

  /**
   * Returns the register after resident bytes.
   *
   * @throws IllegalArgumentException if they are resident on another engine
   * @throws IndexOutOfBoundsException if the range exceeds the bytes
   */
  CrcValue append(CrcValue register, ResidentBytes data, long offset, long length);

  /**
   * Returns the division of an engine, for batches.
   *
   * @throws IllegalArgumentException if the model is wider than 64 bits
   */
  Division division();

  /** Announces bytes to divide ({@link Division#expect}). */
  default void expect(long bytes) {}

  /** Returns the name of the method. */
  String method();
}
