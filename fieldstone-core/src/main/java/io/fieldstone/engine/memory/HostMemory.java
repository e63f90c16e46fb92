package io.fieldstone.engine.memory;

import java.lang.foreign.MemorySegment;

/**
 * Memory of this machine that an engine copies from and to as fast as it can: plain native memory
 * for the cores, pinned memory for a GPU, to which pageable memory is several times slower. Made by
 * {@link io.fieldstone.engine.Engine#allocateHost}; belongs to the caller, who closes it before the
 * engine.
 */
public interface HostMemory extends AutoCloseable {

  /**
   * The memory: native, aligned to 64 bytes at least, for any thread, alive until {@link #close}.
   */
  MemorySegment segment();

  /** Frees the memory. Idempotent. */
  @Override
  void close();
}
