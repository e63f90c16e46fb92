package io.fieldstone.cpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Native memory for the length of a call, kept for the calls after it: as many pieces as calls ran
 * at once. Thread-safe.
 */
final class ScratchPool implements AutoCloseable {

  private final ConcurrentLinkedQueue<Scratch> idle = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  /** Memory of any content, {@code bytes} at least; closing it gives it back. */
  Scratch take(long bytes) {
    Scratch found = idle.poll();
    if (found != null && found.segment().byteSize() >= bytes) {
      return found;
    }
    free(found);
    return new Scratch(bytes);
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

  private void freeIdle() {
    Scratch next = idle.poll();
    while (next != null) {
      free(next);
      next = idle.poll();
    }
  }

  private static void free(@Nullable Scratch scratch) {
    if (scratch != null) {
      scratch.arena.close();
    }
  }

  /** A piece in use. */
  final class Scratch implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final MemorySegment segment;

    Scratch(long bytes) {
      segment = arena.allocate(bytes, NativeRows.ALIGNMENT);
    }

    MemorySegment segment() {
      return segment;
    }

    @Override
    public void close() {
      giveBack(this);
    }
  }
}
