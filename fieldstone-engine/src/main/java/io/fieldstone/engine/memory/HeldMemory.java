package io.fieldstone.engine.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.MemorySegment.Scope;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps memory open while an engine uses it. Engines use raw addresses, also in other threads,
 * where the JDK does not check that an arena is open. So each call that uses memory of a caller
 * runs inside {@link #run}. Until it returns, {@link Arena#close} throws {@link
 * IllegalStateException} in every thread.
 *
 * <p>A {@link CountedArena} counts its calls. The JDK keeps segments of other arenas open only
 * during a call of a native function that has them as arguments. So the work runs inside such a
 * call, as the comparison function of C's {@code bsearch} on an array of one element. This costs
 * about 0.1 µs, and 0.1 s at first. Heap memory, memory of the global or an automatic arena, and
 * memory that the calling thread already keeps open cost no call.
 *
 * <p>Where the JVM denies native access, no engine uses addresses. The JDK then checks each access,
 * so memory of other arenas is not kept open.
 *
 * <p>Thread-safe.
 */
public final class HeldMemory {

  /** The maximum number of segments of a call. */
  private static final int MAX_SEGMENTS = 4;

  private static final Scope GLOBAL = Arena.global().scope();

  /** The class of scopes that end when nothing refers to them. */
  private static final Class<?> AUTOMATIC = Arena.ofAuto().scope().getClass();

  /** A thread that never runs, and so owns no confined memory. */
  private static final Thread ANOTHER = new Thread();

  /** The innermost hold of the current thread. */
  private static final ThreadLocal<@Nullable Hold> INNERMOST = new ThreadLocal<>();

  private HeldMemory() {}

  /**
   * Runs work while memory stays open.
   *
   * @param memory at most 4 segments of any kind that the calling thread may access
   * @throws IllegalStateException if a segment has been freed
   * @throws WrongThreadException if a segment is confined to another thread
   */
  public static void run(Runnable work, MemorySegment... memory) {
    keep(work, memory, true);
  }

  /**
   * Runs work that calls no code of the caller while memory stays open. Memory confined to the
   * calling thread needs no protection then: only this thread could close it.
   *
   * @see #run
   */
  public static void runWithoutCallbacks(Runnable work, MemorySegment... memory) {
    keep(work, memory, false);
  }

  /**
   * Returns a view of memory that any thread can use, within {@link #run}. Where the JVM denies
   * native access it is the memory itself, which may be confined to the calling thread.
   *
   * @throws IllegalStateException if the calling thread does not keep the memory open
   */
  public static MemorySegment unconfined(MemorySegment memory) {
    requireHeld(memory);
    if (!memory.isNative() || NativeAccess.isDenied()) {
      return memory;
    }
    MemorySegment same = MemorySegment.ofAddress(memory.address()).reinterpret(memory.byteSize());
    return memory.isReadOnly() ? same.asReadOnly() : same;
  }

  /** Returns a view of extents that any thread can use, within {@link #run}. */
  public static Extents unconfined(Extents messages) {
    return switch (messages) {
      case Extents.Equal equal -> equal;
      case Extents.Listed listed ->
          new Extents.Listed(unconfined(listed.offsets()), unconfined(listed.lengths()));
    };
  }

  /** Returns the memory of listed extents, followed by other segments. */
  public static MemorySegment[] of(Extents messages, MemorySegment... others) {
    List<MemorySegment> all = new ArrayList<>();
    if (messages instanceof Extents.Listed listed) {
      all.add(listed.offsets());
      all.add(listed.lengths());
    }
    all.addAll(List.of(others));
    return all.toArray(MemorySegment[]::new);
  }

  /**
   * Checks that no other thread can close the memory during the call.
   *
   * @throws IllegalStateException if the calling thread does not keep it open
   */
  public static void requireHeld(MemorySegment memory) {
    if (canBeClosedByOthers(memory)) {
      throw new IllegalStateException("the call does not keep this memory open");
    }
  }

  private static void keep(Runnable work, MemorySegment[] memory, boolean hasCallbacks) {
    if (memory.length > MAX_SEGMENTS) {
      throw new IllegalArgumentException(
          "%d segments, more than %d".formatted(memory.length, MAX_SEGMENTS));
    }
    Hold hold = null;
    for (MemorySegment each : memory) {
      MemoryPreconditions.requireAccessible(each);
      if (canBeClosed(each, hasCallbacks)) {
        if (hold == null) {
          hold = new Hold(work, INNERMOST.get());
        }
        hold.add(each);
      }
    }
    try {
      if (hold == null) {
        work.run();
      } else {
        hold.run();
      }
    } finally {
      Reference.reachabilityFence(memory);
    }
  }

  /**
   * Returns whether another thread could close the memory during a call of this thread. It cannot
   * if the memory is on the heap, confined, global, or already kept open by this thread.
   */
  public static boolean canBeClosedByOthers(MemorySegment memory) {
    return canBeClosed(memory, false);
  }

  private static boolean canBeClosed(MemorySegment memory, boolean hasCallbacks) {
    if (!memory.isNative() || !(hasCallbacks || memory.isAccessibleBy(ANOTHER))) {
      return false;
    }
    Scope scope = memory.scope();
    if (scope.equals(GLOBAL) || scope.getClass().equals(AUTOMATIC)) {
      return false;
    }
    for (Hold hold = INNERMOST.get(); hold != null; hold = hold.outer) {
      if (hold.keeps(scope)) {
        return false;
      }
    }
    return true;
  }

  /** A unit of work, and the segments that stay open while it runs. */
  private static final class Hold {
    private final Runnable work;
    private final @Nullable Hold outer;
    private final MemorySegment[] open = new MemorySegment[MAX_SEGMENTS];
    private int count;
    private @Nullable Throwable failure;

    Hold(Runnable work, @Nullable Hold outer) {
      this.work = work;
      this.outer = outer;
    }

    /** Adds memory, unless its scope is already held. */
    void add(MemorySegment memory) {
      if (!keeps(memory.scope())) {
        open[count++] = memory;
      }
    }

    boolean keeps(Scope scope) {
      for (int i = 0; i < count; i++) {
        if (open[i].scope().equals(scope)) {
          return true;
        }
      }
      return false;
    }

    void run() {
      List<CountedArena.Calls> counted = new ArrayList<>(count);
      List<MemorySegment> others = new ArrayList<>(MAX_SEGMENTS);
      try {
        for (int i = 0; i < count; i++) {
          CountedArena.Calls calls = CountedArena.of(open[i].scope()).orElse(null);
          if (calls == null) {
            others.add(open[i]);
          } else {
            calls.acquire();
            counted.add(calls);
          }
        }
        INNERMOST.set(this);
        if (others.isEmpty() || NativeAccess.isDenied()) {
          work.run();
        } else {
          others.addAll(Collections.nCopies(MAX_SEGMENTS - others.size(), MemorySegment.NULL));
          CallBack.keepOpen(others);
        }
      } finally {
        INNERMOST.set(outer);
        counted.forEach(CountedArena.Calls::release);
      }
      Throwable cause = failure;
      if (cause != null) {
        rethrow(cause);
      }
    }

    private static void rethrow(Throwable cause) {
      switch (cause) {
        case Error error -> throw error;
        case RuntimeException exception -> throw exception;
        case Throwable other -> throw new IllegalStateException(other);
      }
    }

    /** Runs the work and records its exception: one that reached C would end the process. */
    void runWork() {
      try {
        work.run();
      } catch (Throwable thrown) {
        failure = thrown;
      }
    }
  }

  /** C's {@code bsearch}; linked on first use, which takes about 0.1 s. */
  private static final class CallBack {

    /**
     * Stack frames that must be free, more than the path through C and back uses. An exception on
     * that path, such as a stack overflow, would end the process.
     */
    private static final int STACK_LEVELS = 128;

    /** The same limit while the JVM interprets the path, with larger stack frames. */
    private static final int INTERPRETED_STACK_LEVELS = 512;

    /** The number of calls after which the JVM has compiled the path. */
    private static final int INTERPRETED_CALLS = 20_000;

    /**
     * Arguments: key, array, element count and size, comparison. C does not know the last two
     * segments; all 64-bit calling conventions allow extra arguments. Pointers that are not read
     * are passed as numbers, which need no objects.
     */
    private static final MethodHandle BSEARCH =
        Linker.nativeLinker()
            .downcallHandle(
                CLibrary.find("bsearch"),
                FunctionDescriptor.of(
                    JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

    private static final MemorySegment COMPARISON = comparison();

    /** The number of calls; approximate if threads count at the same time. */
    private static int calls;

    private CallBack() {}

    private static MemorySegment comparison() {
      MethodType type = MethodType.methodType(int.class, long.class, long.class);
      try {
        MethodHandle compare = MethodHandles.lookup().findStatic(CallBack.class, "compare", type);
        return Linker.nativeLinker()
            .upcallStub(
                compare, FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG), Arena.global());
      } catch (ReflectiveOperationException e) {
        throw new LinkageError(e.getMessage(), e);
      }
    }

    /** Calls {@link #compare} once while the segments stay open. */
    static void keepOpen(List<MemorySegment> memory) {
      requireStack();
      try {
        long _ =
            (long)
                BSEARCH.invokeExact(
                    memory.get(0), memory.get(1), 1L, 1L, COMPARISON, memory.get(2), memory.get(3));
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable impossible) {
        throw new AssertionError(impossible);
      }
    }

    private static void requireStack() {
      if (calls < INTERPRETED_CALLS) {
        calls++;
        levels(INTERPRETED_STACK_LEVELS);
      } else {
        levels(STACK_LEVELS);
      }
    }

    /** Throws StackOverflowError if the stack has fewer than {@code more} free frames. */
    private static int levels(int more) {
      return more == 0 ? 0 : levels(more - 1) + 1;
    }

    /** Called by C: runs the work. */
    @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // found by its name and its type
    private static int compare(long key, long element) {
      Hold hold = INNERMOST.get();
      if (hold != null) {
        hold.runWork();
      }
      return 0;
    }
  }
}
