package io.fieldstone.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Page-locked memory of the host, which every device copies from and to at full speed while the
 * caller goes on. Any thread may use it. It is closed when no copy is under way.
 */
public final class PinnedBuffer extends Resource {

  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;

  PinnedBuffer(Context context, long address, long bytes) {
    super(context);
    segment = MemorySegment.ofAddress(address).reinterpret(bytes, arena, null);
  }

  /** The memory, of undefined content at first; once this is closed, touching it throws. */
  public MemorySegment segment() {
    return segment;
  }

  @Override
  void free(DriverCalls calls) {
    arena.close();
    calls.memFreeHost(segment.address());
  }
}
