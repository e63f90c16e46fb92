package io.fieldstone.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Page-locked host memory. Every device copies from and to it asynchronously at full speed, and
 * kernels access it at its host address. Thread-safe. It must not be closed while a copy or kernel
 * uses it.
 */
public final class PinnedBuffer extends Resource {

  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;
  private final Optional<PinnedPages> pages;

  /** Wraps memory that the driver has allocated. */
  PinnedBuffer(Context context, long address, long bytes) {
    this(context, address, bytes, Optional.empty());
  }

  PinnedBuffer(Context context, PinnedPages pages, long bytes) {
    this(context, pages.address(), bytes, Optional.of(pages));
  }

  private PinnedBuffer(Context context, long address, long bytes, Optional<PinnedPages> pages) {
    super(context);
    this.segment = MemorySegment.ofAddress(address).reinterpret(bytes, arena, null);
    this.pages = pages;
  }

  /** Returns whether the memory has zeros at first. */
  public boolean isCleared() {
    return pages.isPresent();
  }

  /**
   * Returns the memory, initially undefined unless it {@link #isCleared}; accesses throw after
   * {@link #close}.
   */
  public MemorySegment segment() {
    return segment;
  }

  @Override
  void free(DriverCalls calls) {
    arena.close();
    if (pages.isPresent()) {
      pages.get().free(calls);
    } else {
      calls.memFreeHost(segment.address());
    }
  }
}
