package io.fieldstone.cpu.execution;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Native memory for the length of a call, kept for the calls after it: as many pieces as calls ran
 * at once. Thread-safe.
 */
public final class ScratchPool implements AutoCloseable {

  private final ConcurrentLinkedQueue<Scratch> idle = new ConcurrentLinkedQueue<>();
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean closed;

  /** Memory of any content, {@code bytes} at least; closing it gives it back. */
  public Scratch take(long bytes) {
    Scratch found = idle.poll();
    if (found != null && found.segment().byteSize() >= bytes) {
      return found;
    }
    free(found);
    return new Scratch(bytes);
  }

  /**
   * As {@link #take}, where memory is scarce: the smallest piece that is enough, and has no more
   * bytes than {@code most}.
   *
   * @param beforeMore is done before there is more memory than before
   */
  public Scratch takeSmallest(long bytes, long most, Runnable beforeMore) {
    Optional<Scratch> kept = smallest(bytes, most);
    if (kept.isEmpty()) {
      beforeMore.run();
    }
    return kept.orElseGet(() -> new Scratch(bytes));
  }

  private Optional<Scratch> smallest(long bytes, long most) {
    while (true) {
      Optional<Scratch> smallest =
          idle.stream()
              .filter(scratch -> scratch.bytes() >= bytes && scratch.bytes() <= most)
              .min(Comparator.comparingLong(Scratch::bytes));
      if (smallest.isEmpty() || idle.remove(smallest.get())) {
        return smallest;
      }
    }
  }

  /** Bytes of all pieces, in use and idle. */
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

  /** Frees what is not in use. */
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
      long address = arena.allocate(bytes, NativeRows.ALIGNMENT).address();
      segment = Rows.MEMORY.asSlice(address, bytes);
      ScratchPool.this.bytes.addAndGet(bytes);
    }

    private long bytes() {
      return segment.byteSize();
    }

    /** The memory; nobody else can close it, so ports need not keep it open. */
    public MemorySegment segment() {
      return segment;
    }

    @Override
    public void close() {
      giveBack(this);
    }
  }
}
