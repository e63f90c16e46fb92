package io.fieldstone.cuda.transfer;

import io.fieldstone.cuda.driver.PinnedBuffer;
import io.fieldstone.engine.memory.HostMemory;
import java.lang.foreign.MemorySegment;

/** Pinned host memory, which the GPU copies from and to directly. Thread-safe. */
public final class CudaHostMemory implements HostMemory {

  private final PinnedBuffer buffer;
  private final MemorySegment segment;

  /** Wraps the first {@code bytes} of a new {@code buffer}, and clears them unless they are. */
  public CudaHostMemory(PinnedBuffer buffer, long bytes) {
    this.buffer = buffer;
    this.segment = buffer.segment().asSlice(0, bytes);
    if (!buffer.isOfPages()) {
      segment.fill((byte) 0);
    }
  }

  @Override
  public MemorySegment segment() {
    return segment;
  }

  @Override
  public void close() {
    buffer.close();
  }
}
