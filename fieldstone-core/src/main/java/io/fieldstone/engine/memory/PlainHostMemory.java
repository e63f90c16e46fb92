package io.fieldstone.engine.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Plain memory outside the heap. */
public final class PlainHostMemory implements HostMemory {

  /** As much as is copied through it at a time. */
  static final long COPY_BYTES = 16 << 20;

  /** A cache line, and the widest vector. */
  private static final long ALIGNMENT = 64;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;

  public PlainHostMemory(long bytes) {
    segment = arena.allocate(bytes, ALIGNMENT);
  }

  @Override
  public MemorySegment segment() {
    return segment;
  }

  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
