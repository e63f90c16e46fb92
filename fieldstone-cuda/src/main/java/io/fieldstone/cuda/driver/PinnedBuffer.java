package io.fieldstone.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Page-locked host memory. Every device copies from and to it asynchronously at full speed, and
 * kernels access it at its host address. Thread-safe. It must not be closed while a copy or kernel
 * uses it.
 */
public final class PinnedBuffer extends Resource {

  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;

  PinnedBuffer(Context context, long address, long bytes) {
    super(context);
    segment = MemorySegment.ofAddress(address).reinterpret(bytes, arena, null);
  }

  /** Returns the memory, initially undefined; accesses throw after {@link #close}. */
  public MemorySegment segment() {
    return segment;
  }

  @Override
  void free(DriverCalls calls) {
    arena.close();
    calls.memFreeHost(segment.address());
  }
}
