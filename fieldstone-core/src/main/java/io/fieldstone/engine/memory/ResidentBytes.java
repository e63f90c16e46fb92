package io.fieldstone.engine.memory;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Plain bytes that stay on an engine, so that they are worked on any number of times and cross a
 * bus once. Made by {@link io.fieldstone.engine.Engine#allocateBytes}; belongs to the caller, who
 * closes it before the engine.
 *
 * <p>May be read by several threads at once; {@code store} must not run beside another call on the
 * same bytes.
 */
public interface ResidentBytes extends AutoCloseable {

  /** How many bytes. */
  long byteSize();

  /**
   * Copies {@code source} in, to byte {@code offset} and on; the source may be freed afterwards.
   *
   * @throws IndexOutOfBoundsException if it does not fit
   */
  void store(long offset, MemorySegment source);

  /**
   * Copies bytes in that are resident already, here or on another engine, by the shortest way that
   * this engine knows. Unless it knows one, that is by way of this machine's memory.
   *
   * @param offset where the first goes
   * @param source of which none overlap those that are written
   * @param sourceOffset of the first
   * @param length how many
   * @throws IndexOutOfBoundsException if there are not so many, or they do not fit
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
   * Copies bytes from {@code offset} on out, as many as fill {@code destination}.
   *
   * @throws IndexOutOfBoundsException if there are not so many
   */
  void read(long offset, MemorySegment destination);

  /** Frees the memory. Idempotent. */
  @Override
  void close();
}
