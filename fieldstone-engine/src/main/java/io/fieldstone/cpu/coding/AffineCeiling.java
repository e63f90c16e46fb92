package io.fieldstone.cpu.coding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.Ceiling;
import io.fieldstone.engine.Ceilings;
import io.fieldstone.engine.memory.NativeCall;
import io.fieldstone.natives.NativeLevel;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.List;

/**
 * The highest rate of products by affine transforms: their instructions on registers, two
 * transforms and an addition of both products to a sum.
 */
public final class AffineCeiling implements Ceilings {

  /** Name in {@code fs_NAME_LEVEL}. */
  private static final String NAME = "affine_ceiling";

  private static final int RUNS = 9;

  /** Steps of a run: some milliseconds. */
  private static final long STEPS = 1 << 19;

  /** Products per step: FS_CEILING_SUMS of fieldstone.h, twice. */
  private static final int PRODUCTS = 24;

  private final TaskPool workers;

  public AffineCeiling(TaskPool workers) {
    this.workers = workers;
  }

  /** Measures it on one thread and on all; empty without native affine transforms. */
  @Override
  public List<Ceiling> measure() {
    return NativeLibrary.get().levels(NAME).stream().findFirst().map(this::of).orElse(List.of());
  }

  private List<Ceiling> of(NativeLevel level) {
    int threads = workers.threads();
    Ceiling one = ceiling("affine products, 1 thread", level, 1);
    return threads == 1
        ? List.of(one)
        : List.of(one, ceiling("affine products, %d threads".formatted(threads), level, threads));
  }

  private Ceiling ceiling(String name, NativeLevel level, int threads) {
    MemorySegment function = NativeLibrary.get().function(NAME, level);
    MethodHandle loop =
        Linker.nativeLinker().downcallHandle(function, FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    long[] nanos = new long[RUNS];
    for (int run = 0; run < RUNS; run++) {
      long begin = System.nanoTime();
      workers.forEach(threads, _ -> run(loop));
      nanos[run] = System.nanoTime() - begin;
    }
    Arrays.sort(nanos);
    double work = (double) threads * STEPS * PRODUCTS * level.vectorBytes();
    return new Ceiling(name, work / nanos[RUNS / 2], "G GF-MAC/s");
  }

  private static void run(MethodHandle loop) {
    try {
      int _ = (int) loop.invokeExact(STEPS);
    } catch (Throwable e) {
      throw NativeCall.unexpected(e);
    }
  }
}
