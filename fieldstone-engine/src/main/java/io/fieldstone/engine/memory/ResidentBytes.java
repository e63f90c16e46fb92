package io.fieldstone.engine.memory;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Bytes that stay on an engine, and are transferred once for any number of operations. Allocated by
 * {@link io.fieldstone.engine.Engine#allocateBytes}; the caller closes it before the engine.
 *
 * <p>Several threads may read at the same time; {@code store} must not run concurrently with
 * another call on the same bytes.
 */
public interface ResidentBytes extends AutoCloseable {

  /** Returns the size in bytes. */
  long byteSize();

  /**
   * Copies {@code source} to byte {@code offset}; the source may be freed afterwards.
   *
   * @throws IndexOutOfBoundsException if it does not fit
   */
  void store(long offset, MemorySegment source);

  /**
   * Copies bytes that are resident on this or another engine, by the fastest path that this engine
   * supports. By default, they are staged in host memory.
   *
   * @param offset the offset of the first byte in this memory
   * @param source must not overlap the bytes written
   * @param sourceOffset the offset of the first byte in {@code source}
   * @param length the number of bytes
   * @throws IndexOutOfBoundsException if a range exceeds its memory
   */
  default void store(long offset, ResidentBytes source, long sourceOffset, long length) {
    Objects.checkFromIndexSize(offset, length, byteSize());
    Objects.checkFromIndexSize(sourceOffset, length, source.byteSize());
    try (PlainHostMemory memory =
        new PlainHostMemory(Math.min(PlainHostMemory.COPY_BYTES, length))) {
      for (long at = 0; at < length; at += PlainHostMemory.COPY_BYTES) {
        long some = Math.min(PlainHostMemory.COPY_BYTES, length - at);
        MemorySegment piece = memory.segment().asSlice(0, some);
        source.read(sourceOffset + at, piece);
        store(offset + at, piece);
      }
    }
  }

  /**
   * Copies bytes from {@code offset} on to {@code destination} until it is full.
   *
   * @throws IndexOutOfBoundsException if the range exceeds this memory
   */
  void read(long offset, MemorySegment destination);

  /** Frees the memory. Idempotent. */
  @Override
  void close();
}
