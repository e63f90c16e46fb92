package io.fieldstone.engine.memory;

import java.lang.foreign.MemorySegment;

/**
 * Host memory that an engine transfers at full speed: plain native memory for the CPU, pinned
 * memory for a GPU, for which pageable memory is several times slower. Allocated by {@link
 * io.fieldstone.engine.Engine#allocateHost}; the caller closes it before the engine.
 */
public interface HostMemory extends AutoCloseable {

  /**
   * Returns the memory: native, aligned to at least 64 bytes, accessible by any thread, alive until
   * {@link #close}.
   */
  MemorySegment segment();

  /** Frees the memory. Idempotent. */
  @Override
  void close();
}
