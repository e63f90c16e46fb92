package io.fieldstone.cuda.sorting.delta;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.natives.NativeLevel;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Copies memory with non-temporal stores, by the C kernels of copies.c. Cache lines that are
 * written as a whole need not be read first, which leaves memory bandwidth to the bus: the host of
 * an H200 writes 146 GB/s beside a busy bus, and 48 GB/s with ordinary stores. The JVM emits such
 * stores only in copies from 2.5 MiB on. Thread-safe.
 */
final class NonTemporalCopy {

  /** Name of the copying kernel in {@code fs_NAME_LEVEL}. */
  static final String NAME = "copy";

  // The first argument of both is the kernel's address.
  private static final MethodHandle COPY =
      caller(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle FENCE = caller(FunctionDescriptor.ofVoid());

  private static final Optional<NonTemporalCopy> INSTANCE =
      NativeLibrary.get().levels(NAME).stream().findFirst().map(NonTemporalCopy::new);

  private final MemorySegment copy;
  private final MemorySegment fence;

  /** Makes the copier of a level. */
  NonTemporalCopy(NativeLevel level) {
    NativeLibrary library = NativeLibrary.get();
    copy = library.function(NAME, level);
    fence = library.function("fence", library.levels("fence").getFirst());
  }

  private static MethodHandle caller(FunctionDescriptor type) {
    return Linker.nativeLinker().downcallHandle(type, Linker.Option.critical(false));
  }

  /** Returns the copier, or empty if the native kernels are missing. */
  static Optional<NonTemporalCopy> find() {
    return INSTANCE;
  }

  /**
   * Copies memory, with ordinary stores at the ends. Other threads see the copy only after a {@link
   * #fence}.
   *
   * @param from a readable address
   * @param to a writable address
   * @param bytes at most {@link DeltaKernel#BLOCK_BYTES}, because the garbage collector waits
   */
  void copy(long from, long to, long bytes) {
    try {
      COPY.invokeExact(copy, to, from, bytes);
    } catch (Throwable thrown) {
      throw new AssertionError(thrown);
    }
  }

  /** Orders the non-temporal stores of this thread before its later stores. */
  void fence() {
    try {
      FENCE.invokeExact(fence);
    } catch (Throwable thrown) {
      throw new AssertionError(thrown);
    }
  }
}
