package io.fieldstone.engine.hashes;

import io.fieldstone.engine.memory.MemoryPreconditions;
import java.lang.foreign.MemorySegment;

/**
 * Hashes many messages of equal length at once by SHA-256 (FIPS 180-4), for hash trees. An adapter
 * has the implementation that is the fastest on the processors ({@code Engine.hashing}).
 * Implementations are thread-safe.
 */
public interface Hashing {

  /** The bytes of a hash. */
  int HASH_BYTES = 32;

  /** Stands for no prefix. */
  int NO_PREFIX = -1;

  /**
   * Writes the hash of each message.
   *
   * @param prefix a byte that is hashed before each message, or {@link #NO_PREFIX}
   * @param messages their memory; message i begins i·pitch bytes after its start
   * @param pitch the distance of messages in bytes
   * @param count the number of messages
   * @param bytes the bytes of each message
   * @param hashes receives {@value #HASH_BYTES} bytes for each message. It may begin where the
   *     messages begin, or before them, if the pitch is at least as large
   * @throws IllegalArgumentException if a size is negative, the prefix is no byte, memory is too
   *     small, or that for hashes is read-only
   */
  void sha256(
      int prefix, MemorySegment messages, long pitch, int count, long bytes, MemorySegment hashes);

  /**
   * Announces how many bytes are going to be hashed. An implementation that is loaded only for many
   * bytes is so loaded on another thread, before the first of them.
   */
  default void expect(long bytes) {}

  /** Returns the oracle: the JDK's digest, one message after the other. */
  static Hashing jdk() {
    return JdkHashing.INSTANCE;
  }

  /**
   * Checks the arguments of {@link #sha256}.
   *
   * @throws IllegalArgumentException as described there
   */
  static void requireValid(
      int prefix, MemorySegment messages, long pitch, int count, long bytes, MemorySegment hashes) {
    if (prefix < NO_PREFIX || prefix > 255) {
      throw new IllegalArgumentException("prefix %d is no byte".formatted(prefix));
    }
    if (pitch < 0 || count < 0 || bytes < 0) {
      throw new IllegalArgumentException(
          "pitch %d, count %d or length %d is negative".formatted(pitch, count, bytes));
    }
    long needed = count == 0 ? 0 : Math.addExact(Math.multiplyExact(count - 1L, pitch), bytes);
    if (messages.byteSize() < needed) {
      throw new IllegalArgumentException(
          "%d messages of %d bytes take %d bytes, the memory has %d"
              .formatted(count, bytes, needed, messages.byteSize()));
    }
    if (hashes.byteSize() < (long) count * HASH_BYTES) {
      throw new IllegalArgumentException(
          "%d hashes take %d bytes, the memory has %d"
              .formatted(count, (long) count * HASH_BYTES, hashes.byteSize()));
    }
    MemoryPreconditions.requireWritable("hashes", hashes);
  }
}
