package io.fieldstone.engine.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Native memory that is not pinned. */
public final class PlainHostMemory implements HostMemory {

  /** The bytes of a copy between two engines that is staged in this memory. */
  static final long COPY_BYTES = 16 << 20;

  /** The alignment in bytes: a cache line, and the widest vector. */
  private static final long ALIGNMENT = 64;

  private final Arena arena = CountedArena.untilClosed();

  private final MemorySegment segment;

  public PlainHostMemory(long bytes) {
    segment = FreshPages.allocate(bytes, ALIGNMENT, arena);
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
