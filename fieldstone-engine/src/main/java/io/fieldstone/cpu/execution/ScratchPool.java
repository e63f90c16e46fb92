package io.fieldstone.cpu.execution;

import io.fieldstone.engine.memory.FreshPages;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A pool of native memory for single calls. It grows to the maximum number of concurrent calls.
 * Thread-safe.
 */
public final class ScratchPool implements AutoCloseable {

  private final ConcurrentLinkedQueue<Scratch> idle = new ConcurrentLinkedQueue<>();
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean closed;

  /**
   * Returns at least {@code bytes} bytes of undefined content; closing returns them to the pool.
   */
  public Scratch take(long bytes) {
    Scratch found = idle.poll();
    if (found != null && found.segment().byteSize() >= bytes) {
      return found;
    }
    free(found);
    return new Scratch(bytes);
  }

  /**
   * Returns the smallest idle piece of {@code bytes} to {@code most} bytes, or a new piece of
   * exactly {@code bytes}.
   *
   * @param beforeMore runs before new memory is allocated
   */
  public Scratch takeSmallest(long bytes, long max, Runnable beforeMore) {
    Optional<Scratch> kept = smallest(bytes, max);
    if (kept.isEmpty()) {
      beforeMore.run();
    }
    return kept.orElseGet(() -> new Scratch(bytes));
  }

  private Optional<Scratch> smallest(long bytes, long max) {
    while (true) {
      Optional<Scratch> smallest =
          idle.stream()
              .filter(scratch -> scratch.bytes() >= bytes && scratch.bytes() <= max)
              .min(Comparator.comparingLong(Scratch::bytes));
      if (smallest.isEmpty() || idle.remove(smallest.get())) {
        return smallest;
      }
    }
  }

  /** Returns the bytes of all pieces, in use and idle. */
  public long bytes() {
    return bytes.get();
  }

  private void giveBack(Scratch scratch) {
    idle.add(scratch);
    if (closed) {
      freeIdle();
    }
  }

  @Override
  public void close() {
    closed = true;
    freeIdle();
  }

  /** Frees all pieces that are not in use. */
  public void freeIdle() {
    Scratch next = idle.poll();
    while (next != null) {
      free(next);
      next = idle.poll();
    }
  }

  private void free(@Nullable Scratch scratch) {
    if (scratch != null) {
      bytes.addAndGet(-scratch.segment().byteSize());
      scratch.arena.close();
    }
  }

  /** A piece in use. */
  public final class Scratch implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final MemorySegment segment;

    Scratch(long bytes) {
      long address = FreshPages.allocate(bytes, NativeRows.ALIGNMENT, arena).address();
      segment = Rows.MEMORY.asSlice(address, bytes);
      ScratchPool.this.bytes.addAndGet(bytes);
    }

    private long bytes() {
      return segment.byteSize();
    }

    /**
     * Returns the pages between two offsets to the system. Their content is undefined; accessing
     * them again costs as much as new memory.
     */
    public void release(long from, long to) {
      FreshPages.release(segment, from, to);
    }

    /** Returns the memory; only the pool can free it, so ports need not keep it open. */
    public MemorySegment segment() {
      return segment;
    }

    @Override
    public void close() {
      giveBack(this);
    }
  }
}
