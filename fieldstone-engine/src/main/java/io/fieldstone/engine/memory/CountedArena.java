package io.fieldstone.engine.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.MemorySegment.Scope;
import java.lang.ref.Cleaner;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A shared arena that counts the calls that use its memory, for memory that this library allocates:
 * {@link HeldMemory} keeps it open without a call of C.
 *
 * <p>Memory that nobody has freed is freed {@value #GRACE_SECONDS} s after nothing refers to the
 * arena any more, and that of an {@link ArenaGroup} when the group closes, but in both cases not
 * before the last call that uses it has ended. A segment does not keep its arena. A method that has
 * taken a segment of an object may outlive the last reference to that, so the memory stays longer
 * than any such method takes.
 *
 * <p>The JVM does not know how much native memory small objects hold. So this class asks for a
 * collection when open arenas have as much more memory than at the last one as the heap may have,
 * or {@value #MAX_GROWTH} bytes. Programs that free what they open seldom see one.
 *
 * <p>Thread-safe. A thread of its own frees what was forgotten.
 */
public final class CountedArena implements Arena {

  private static final int CLOSED = -1;

  private static final Map<Scope, Calls> OPEN = new ConcurrentHashMap<>();

  private static final Cleaner CLEANER = Cleaner.create();

  /** The time in which methods end that took a segment of what nothing refers to. */
  private static final int GRACE_SECONDS = 5;

  private static final Executor AFTER_GRACE =
      CompletableFuture.delayedExecutor(GRACE_SECONDS, TimeUnit.SECONDS);

  /** The growth of open arenas after which the JVM collects what was forgotten. */
  private static final long MAX_GROWTH = 1 << 30;

  private static final AtomicLong OPEN_BYTES = new AtomicLong();

  /** The bytes that were open at the last collection, or after forgotten memory was freed. */
  private static final AtomicLong COLLECTED_BYTES = new AtomicLong();

  private final Calls calls;
  private final Optional<Cleaner.Cleanable> forgotten;

  /** Creates an arena that is freed at the latest when nothing refers to it. */
  public CountedArena() {
    this(new Calls(_ -> {}));
  }

  CountedArena(Calls calls) {
    this.calls = calls;
    forgotten = Optional.of(CLEANER.register(this, calls::forget));
  }

  private CountedArena(Calls calls, Optional<Cleaner.Cleanable> forgotten) {
    this.calls = calls;
    this.forgotten = forgotten;
  }

  /** Creates an arena that only {@link #close} frees, because callers keep its segments alone. */
  static CountedArena untilClosed() {
    return new CountedArena(new Calls(_ -> {}), Optional.empty());
  }

  /** Returns the calls of the open arena of a scope; empty if it is closed or of another class. */
  static Optional<Calls> of(Scope scope) {
    return Optional.ofNullable(OPEN.get(scope));
  }

  /** Returns the bytes of all arenas of this class that are open. */
  public static long openBytes() {
    return OPEN_BYTES.get();
  }

  private static void opened(long bytes) {
    long open = OPEN_BYTES.addAndGet(bytes);
    long collected = COLLECTED_BYTES.get();
    if (open - collected > Math.min(MAX_GROWTH, Runtime.getRuntime().maxMemory())
        && COLLECTED_BYTES.compareAndSet(collected, open)) {
      System.gc();
    }
  }

  /**
   * The memory, and the calls that use it. It does not refer to the {@link CountedArena}, so that
   * what is open does not keep that reachable. Thread-safe.
   */
  static final class Calls {
    private final Arena arena = Arena.ofShared();
    private final Consumer<Calls> whenFreed;

    /** The number of calls, or {@link #CLOSED}. */
    private final AtomicInteger count = new AtomicInteger();

    private final AtomicLong bytes = new AtomicLong();
    private volatile boolean isAbandoned;

    Calls(Consumer<Calls> whenFreed) {
      this.whenFreed = whenFreed;
    }

    /**
     * Keeps the arena open until {@link #release}.
     *
     * @throws IllegalStateException if it has been closed
     */
    void acquire() {
      if (count.updateAndGet(now -> now == CLOSED ? CLOSED : now + 1) == CLOSED) {
        throw new IllegalStateException("Already closed");
      }
    }

    void release() {
      if (count.decrementAndGet() == 0 && isAbandoned) {
        abandon();
      }
    }

    /** Frees the memory later, if it is open. */
    void forget() {
      if (count.get() != CLOSED) {
        AFTER_GRACE.execute(this::abandon);
      }
    }

    /** Frees the memory now, or after the last call that uses it. Idempotent. */
    void abandon() {
      isAbandoned = true;
      if (count.compareAndSet(0, CLOSED)) {
        try {
          free();
          COLLECTED_BYTES.set(OPEN_BYTES.get());
        } catch (IllegalStateException _) { // used by a call of C, as the JDK counts them
          count.set(0);
        }
      }
    }

    /** Frees the memory; nothing may use it. */
    private void free() {
      arena.close();
      OPEN.remove(arena.scope());
      long _ = OPEN_BYTES.addAndGet(-bytes.get());
      whenFreed.accept(this);
    }

    private void close() {
      if (!count.compareAndSet(0, CLOSED)) {
        throw new IllegalStateException(
            count.get() == CLOSED ? "Already closed" : "a call uses the memory");
      }
      try {
        free();
      } catch (IllegalStateException used) {
        count.set(0);
        throw used;
      }
    }
  }

  @Override
  public MemorySegment allocate(long bytes, long alignment) {
    return withCalls(calls.arena.allocate(bytes, alignment));
  }

  /** Counts the calls that use memory of this arena; an arena without memory needs no close. */
  MemorySegment withCalls(MemorySegment memory) {
    OPEN.put(calls.arena.scope(), calls);
    long _ = calls.bytes.addAndGet(memory.byteSize());
    opened(memory.byteSize());
    return memory;
  }

  @Override
  public Scope scope() {
    return calls.arena.scope();
  }

  /**
   * Frees the memory.
   *
   * @throws IllegalStateException if a call uses it, or if it has been freed
   */
  @Override
  public void close() {
    calls.close();
    forgotten.ifPresent(Cleaner.Cleanable::clean);
  }
}
