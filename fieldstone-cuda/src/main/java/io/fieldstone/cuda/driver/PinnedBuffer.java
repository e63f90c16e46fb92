package io.fieldstone.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Page-locked host memory. Every device copies from and to it asynchronously at full speed, and
 * kernels access it at its host address. Thread-safe. It must not be closed while a copy or kernel
 * uses it.
 */
public final class PinnedBuffer extends Resource {

  /** The ends of pinned pages by their first address; the driver has no numbers of them. */
  private static final ConcurrentSkipListMap<Long, Long> PAGES = new ConcurrentSkipListMap<>();

  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;
  private final Optional<Arena> pages;

  /** Wraps memory that the driver has allocated. */
  PinnedBuffer(Context context, long address, long bytes) {
    this(context, MemorySegment.ofAddress(address).reinterpret(bytes), Optional.empty());
  }

  /** Wraps memory that the driver has pinned, and that {@code owner} frees. */
  PinnedBuffer(Context context, MemorySegment memory, Arena owner) {
    this(context, memory, Optional.of(owner));
    PAGES.put(memory.address(), memory.address() + memory.byteSize());
  }

  private PinnedBuffer(Context context, MemorySegment memory, Optional<Arena> pages) {
    super(context);
    this.segment =
        MemorySegment.ofAddress(memory.address()).reinterpret(memory.byteSize(), arena, null);
    this.pages = pages;
  }

  /** Returns whether the memory belongs to pages that were pinned at once. */
  static boolean isOfPages(MemorySegment memory) {
    Map.Entry<Long, Long> known = PAGES.floorEntry(memory.address());
    return known != null && memory.address() + memory.byteSize() <= known.getValue();
  }

  /** Returns whether the memory is of pages that its owner has made, not the driver. */
  public boolean isOfPages() {
    return pages.isPresent();
  }

  /** Returns the memory, initially as the owner or the driver made it, until {@link #close}. */
  public MemorySegment segment() {
    return segment;
  }

  @Override
  void free(DriverCalls calls) {
    arena.close();
    if (pages.isEmpty()) {
      calls.memFreeHost(segment.address());
      return;
    }
    PAGES.remove(segment.address());
    try {
      calls.memHostUnregister(segment.address());
    } finally {
      pages.get().close();
    }
  }
}
