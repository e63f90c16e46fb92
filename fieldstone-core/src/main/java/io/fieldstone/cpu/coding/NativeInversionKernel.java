package io.fieldstone.cpu.coding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.natives.NativeLevel;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;

/** Inverts by the C kernel of {@code inversions.h}: blocked Gauss–Jordan elimination in place. */
final class NativeInversionKernel implements InversionKernel {

  private static final FunctionDescriptor TYPE =
      FunctionDescriptor.of(
          JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  private static final MethodHandle CALL = Linker.nativeLinker().downcallHandle(TYPE);

  private final MemorySegment function;

  /** Those of {@link NativeProductKernel}. */
  private final MemorySegment tables;

  /** Makes the kernel of a level of the library. */
  NativeInversionKernel(NativeLibrary library, NativeLevel level, MemorySegment tables) {
    this.function = library.function("invert", level);
    this.tables = tables;
  }

  /** Returns FS_INVERT_BYTES of fieldstone.h. */
  @Override
  public long scratchBytes(int n) {
    return (n + 64L) * (n + 128L) + 68L * n;
  }

  @Override
  public boolean invert(int n, Rows matrix, Rows inverse, MemorySegment scratch) {
    try {
      return (int)
              CALL.invokeExact(
                  function,
                  tables.address(),
                  (long) n,
                  matrix.address(),
                  matrix.stride(),
                  inverse.address(),
                  inverse.stride(),
                  scratch.address())
          != 0;
    } catch (Throwable e) {
      throw NativeLibrary.unexpected(e);
    } finally {
      Reference.reachabilityFence(tables);
    }
  }
}
