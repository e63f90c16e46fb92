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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps memory open while an engine works on it. Engines work on addresses and in other threads,
 * where nothing checks that an arena is still open. So each call that works on a caller's memory
 * runs inside {@link #run}. Until that returns, {@link Arena#close} of the memory throws {@link
 * IllegalStateException}, in whichever thread.
 *
 * <p>The JDK keeps segments open for one purpose, a call of a native function that has them as
 * arguments. So the work runs inside such a call, as the comparison of C's {@code bsearch} in an
 * array of one element. This costs about 0.1 µs. Memory that cannot be closed costs nothing: that
 * of the heap, that of the global arena, and what the calling thread keeps open already.
 *
 * <p>Thread-safe.
 */
public final class HeldMemory {

  /** Segments of a call. */
  private static final int MAX_SEGMENTS = 4;

  private static final Scope GLOBAL = Arena.global().scope();

  /** Any thread but those that exist. */
  private static final Thread ANOTHER = Thread.ofPlatform().unstarted(() -> {});

  /** What this thread keeps open. */
  private static final ThreadLocal<@Nullable Hold> INNERMOST = new ThreadLocal<>();

  private HeldMemory() {}

  /**
   * Runs work while memory stays open.
   *
   * @param memory of any kind, which the calling thread may use; at most 4 segments
   * @throws IllegalStateException if some of it has been freed
   * @throws WrongThreadException if some of it is confined to another thread
   */
  public static void run(Runnable work, MemorySegment... memory) {
    keep(work, memory, true);
  }

  /**
   * As {@link #run}, of work that calls no code but the engine's. Memory that is confined to the
   * calling thread is then left alone: only this thread could close it, and it is busy here.
   */
  public static void runWithoutCallbacks(Runnable work, MemorySegment... memory) {
    keep(work, memory, false);
  }

  /**
   * The same memory for any thread, within {@link #run}.
   *
   * @throws IllegalStateException if the calling thread does not keep it open
   */
  public static MemorySegment unconfined(MemorySegment memory) {
    requireHeld(memory);
    if (!memory.isNative()) {
      return memory;
    }
    MemorySegment same = MemorySegment.ofAddress(memory.address()).reinterpret(memory.byteSize());
    return memory.isReadOnly() ? same.asReadOnly() : same;
  }

  /** As {@link #unconfined(MemorySegment)}. */
  public static Extents unconfined(Extents messages) {
    return switch (messages) {
      case Extents.Equal equal -> equal;
      case Extents.Listed listed ->
          new Extents.Listed(unconfined(listed.offsets()), unconfined(listed.lengths()));
    };
  }

  /** The memory of lists of messages, if they are listed, and then other memory. */
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
   * Refuses memory that another thread could close during the call.
   *
   * @throws IllegalStateException if the calling thread does not keep it open
   */
  public static void requireHeld(MemorySegment memory) {
    if (canBeClosed(memory, false)) {
      throw new IllegalStateException("the address of memory that the call does not keep open");
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
    if (hold == null) {
      work.run();
    } else {
      hold.run();
    }
  }

  private static boolean canBeClosed(MemorySegment memory, boolean hasCallbacks) {
    if (!memory.isNative() || !(hasCallbacks || memory.isAccessibleBy(ANOTHER))) {
      return false;
    }
    Scope scope = memory.scope();
    if (scope.equals(GLOBAL)) {
      return false;
    }
    for (Hold hold = INNERMOST.get(); hold != null; hold = hold.outer) {
      if (hold.keeps(scope)) {
        return false;
      }
    }
    return true;
  }

  /** Work, and what is open while it runs. */
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

    /** Adds memory; that of a scope which is there already costs nothing more. */
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
      for (int i = count; i < MAX_SEGMENTS; i++) {
        open[i] = MemorySegment.NULL;
      }
      INNERMOST.set(this);
      try {
        NativeCall.keepOpen(open);
      } finally {
        INNERMOST.set(outer);
      }
      switch (failure) {
        case null -> {}
        case Error error -> throw error;
        case RuntimeException exception -> throw exception;
        case Throwable other -> throw new IllegalStateException(other);
      }
    }

    /** Lets no exception pass to C, which would end the process. */
    void runWork() {
      try {
        work.run();
      } catch (Throwable thrown) {
        failure = thrown;
      }
    }
  }

  /** C's {@code bsearch}; linked when first needed, which takes a tenth of a second. */
  private static final class NativeCall {

    /**
     * Levels of calls that the stack must have room for: more than the way through C and back
     * takes. An exception on that way, such as that of a full stack, would end the process.
     */
    private static final int STACK_LEVELS = 128;

    /** The same while the JVM interprets that way, which takes more of the stack. */
    private static final int INTERPRETED_STACK_LEVELS = 512;

    /** Calls after which the JVM has compiled that way. */
    private static final int INTERPRETED_CALLS = 20_000;

    /**
     * Key, array, number and size of its elements, comparison. The last two segments are arguments
     * that C does not know of: by all calling conventions of 64 bits the caller removes arguments.
     * Pointers that are not read are passed as numbers, which need no objects.
     */
    private static final MethodHandle BSEARCH = bsearch();

    private static final MemorySegment COMPARISON = comparison();

    /** Not exact where threads count at the same time. */
    private static int calls;

    private NativeCall() {}

    private static MethodHandle bsearch() {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(
          linker.defaultLookup().findOrThrow("bsearch"),
          FunctionDescriptor.of(
              JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));
    }

    private static MemorySegment comparison() {
      MethodType type = MethodType.methodType(int.class, long.class, long.class);
      try {
        MethodHandle compare = MethodHandles.lookup().findStatic(NativeCall.class, "compare", type);
        return Linker.nativeLinker()
            .upcallStub(
                compare, FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG), Arena.global());
      } catch (ReflectiveOperationException e) {
        throw new LinkageError(e.getMessage(), e);
      }
    }

    /** Has {@link #compare} called once while the segments stay open. */
    static void keepOpen(MemorySegment[] memory) {
      requireStack();
      try {
        long _ =
            (long)
                BSEARCH.invokeExact(memory[0], memory[1], 1L, 1L, COMPARISON, memory[2], memory[3]);
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

    /** Throws StackOverflowError if there are not so many more levels. */
    private static int levels(int more) {
      return more == 0 ? 0 : levels(more - 1) + 1;
    }

    /** Called by C. */
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
