package io.fieldstone.cuda.driver;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.memory.FreshPages;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Large pages that several threads touch and that the driver then pins. For 400 MB this takes a
 * tenth of the time of memory that the driver allocates ({@code cuMemHostAlloc}). Thread-safe.
 */
final class PinnedPages {

  /** The minimum bytes: less is allocated quickly by the driver. */
  static final long MIN_BYTES = 8 << 20;

  /** {@code CU_MEMHOSTREGISTER_PORTABLE} and {@code CU_MEMHOSTREGISTER_DEVICEMAP}. */
  private static final int FOR_ALL_DEVICES = 1 | 2;

  private static final int MAX_THREADS = 8;
  private static final long PIECE_BYTES = 32 << 20;
  private static final int PAGE_BYTES = 4096;

  /** The ends of pinned pages by their first address; the driver has no numbers of them. */
  private static final ConcurrentSkipListMap<Long, Long> ENDS = new ConcurrentSkipListMap<>();

  private final Arena arena;
  private final MemorySegment segment;

  private PinnedPages(Arena arena, MemorySegment segment) {
    this.arena = arena;
    this.segment = segment;
  }

  /** Pins new pages, or returns empty if the system or the driver cannot. */
  static Optional<PinnedPages> pin(DriverCalls calls, long bytes) {
    Arena arena = Arena.ofShared();
    try {
      Optional<PinnedPages> pinned =
          FreshPages.allocateLarge(bytes, arena)
              .filter(memory -> isRegistered(calls, memory))
              .map(memory -> new PinnedPages(arena, memory));
      if (pinned.isEmpty()) {
        arena.close();
      }
      return pinned;
    } catch (OutOfMemoryError tooLarge) {
      arena.close();
      return Optional.empty();
    }
  }

  private static boolean isRegistered(DriverCalls calls, MemorySegment memory) {
    touch(memory);
    if (!calls.memHostRegister(memory.address(), memory.byteSize(), FOR_ALL_DEVICES)) {
      return false;
    }
    ENDS.put(memory.address(), memory.address() + memory.byteSize());
    return true;
  }

  /** Makes the system clear the pages by several threads. */
  private static void touch(MemorySegment memory) {
    int pieces = Math.toIntExact(Math.ceilDiv(memory.byteSize(), PIECE_BYTES));
    int threads = Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());
    try (TaskPool pool = new TaskPool("fieldstone-pages", threads - 1, 0)) {
      pool.forEach(
          pieces,
          piece -> {
            long end = Math.min(memory.byteSize(), (piece + 1) * PIECE_BYTES);
            for (long at = piece * PIECE_BYTES; at < end; at += PAGE_BYTES) {
              memory.set(JAVA_BYTE, at, (byte) 0);
            }
          });
    }
  }

  /** Returns whether the memory belongs to pages that were pinned at once. */
  static boolean contain(MemorySegment memory) {
    Map.Entry<Long, Long> pages = ENDS.floorEntry(memory.address());
    return pages != null && memory.address() + memory.byteSize() <= pages.getValue();
  }

  long address() {
    return segment.address();
  }

  /** Releases the pages. */
  void free(DriverCalls calls) {
    ENDS.remove(segment.address());
    try {
      calls.memHostUnregister(segment.address());
    } finally {
      arena.close();
    }
  }
}
