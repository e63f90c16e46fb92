package io.fieldstone.engine;

import java.lang.foreign.MemorySegment;

/**
 * Plain bytes that stay on an engine, so that they are worked on any number of times and cross a
 * bus once. Made by {@link Engine#allocateBytes}; belongs to the caller, who closes it before the
 * engine.
 *
 * <p>May be read by several threads at once; {@link #store} must not run beside another call on the
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
   * Copies bytes from {@code offset} on out, as many as fill {@code destination}.
   *
   * @throws IndexOutOfBoundsException if there are not so many
   */
  void read(long offset, MemorySegment destination);

  /** Frees the memory. Idempotent. */
  @Override
  void close();
}
