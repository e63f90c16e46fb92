package io.fieldstone.engine.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.MemorySegment.Scope;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A shared arena that counts the calls that use its memory, for memory that this library allocates:
 * {@link HeldMemory} keeps it open without a call of C. Thread-safe.
 */
public final class CountedArena implements Arena {

  private static final int CLOSED = -1;

  private static final Map<Scope, CountedArena> OPEN = new ConcurrentHashMap<>();

  private final Arena arena = Arena.ofShared();

  /** The number of calls, or {@link #CLOSED}. */
  private final AtomicInteger calls = new AtomicInteger();

  /** Returns the open arena of a scope; empty if it is closed or of another class. */
  static Optional<CountedArena> of(Scope scope) {
    return Optional.ofNullable(OPEN.get(scope));
  }

  /**
   * Keeps the arena open until {@link #release}.
   *
   * @throws IllegalStateException if it has been closed
   */
  void acquire() {
    if (calls.updateAndGet(count -> count == CLOSED ? CLOSED : count + 1) == CLOSED) {
      throw new IllegalStateException("Already closed");
    }
  }

  void release() {
    calls.decrementAndGet();
  }

  @Override
  public MemorySegment allocate(long bytes, long alignment) {
    return withCalls(arena.allocate(bytes, alignment));
  }

  /** Counts the calls that use memory of this arena; an arena without memory needs no close. */
  MemorySegment withCalls(MemorySegment memory) {
    OPEN.put(arena.scope(), this);
    return memory;
  }

  @Override
  public Scope scope() {
    return arena.scope();
  }

  /**
   * Frees the memory.
   *
   * @throws IllegalStateException if a call uses it, or if it has been freed
   */
  @Override
  public void close() {
    if (!calls.compareAndSet(0, CLOSED)) {
      throw new IllegalStateException(
          calls.get() == CLOSED ? "Already closed" : "a call uses the memory");
    }
    try {
      arena.close();
    } catch (IllegalStateException used) {
      calls.set(0);
      throw used;
    }
    OPEN.remove(arena.scope());
  }
}
