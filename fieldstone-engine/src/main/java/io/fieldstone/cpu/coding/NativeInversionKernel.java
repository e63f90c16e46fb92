package io.fieldstone.cpu.coding;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.engine.memory.NativeCall;
import io.fieldstone.natives.NativeLevel;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** Inverts by the C kernel of {@code inversions.h}: blocked Gauss–Jordan elimination in place. */
final class NativeInversionKernel implements InversionKernel {

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
              NativeCall.call(
                  function,
                  tables.address(),
                  n,
                  matrix.address(),
                  matrix.stride(),
                  inverse.address(),
                  inverse.stride(),
                  scratch.address())
          != 0;
    } finally {
      Reference.reachabilityFence(tables);
    }
  }
}
