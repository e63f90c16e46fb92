package io.fieldstone.cpu.execution;

import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.memory.HeldMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Provides matrices in native memory that every worker thread can access.
 *
 * <p>Native memory is used in place, and the port keeps it open during the call ({@link
 * HeldMemory}). Heap memory is copied, so that kernels see native memory only.
 */
public final class NativeRows {

  /** Bytes of a cache line and of the widest vector. */
  public static final int ALIGNMENT = 64;

  private NativeRows() {}

  /** Returns the matrices, or a native copy if they are on the heap. */
  public static ByteMatrices input(ByteMatrices matrices) {
    HeldMemory.requireHeld(matrices.data());
    if (matrices.data().isNative()) {
      return matrices;
    }
    ByteMatrices copy = like(matrices);
    copy(matrices, copy);
    return copy;
  }

  /** Returns the matrices, or native memory of the same shape for {@link #copyOut}. */
  public static ByteMatrices output(ByteMatrices matrices) {
    requireWritable(matrices.data());
    HeldMemory.requireHeld(matrices.data());
    return matrices.data().isNative() ? matrices : like(matrices);
  }

  /** Copies results to the caller's memory if {@link #output} returned other memory. */
  public static void copyOut(ByteMatrices output, ByteMatrices home) {
    if (!home.data().isNative()) {
      copy(output, home);
    }
  }

  public static void requireWritable(MemorySegment data) {
    if (data.isReadOnly()) {
      throw new IllegalArgumentException("the products' memory is read-only");
    }
  }

  /** Copies row by row; padding between rows stays unchanged. */
  private static void copy(ByteMatrices from, ByteMatrices to) {
    if (from.columns() == 0) {
      return;
    }
    for (long matrix = 0; matrix < from.count(); matrix++) {
      for (int row = 0; row < from.rows(); row++) {
        MemorySegment.copy(
            from.data(),
            from.offset(matrix, row),
            to.data(),
            to.offset(matrix, row),
            from.columns());
      }
    }
  }

  private static ByteMatrices like(ByteMatrices matrices) {
    long bytes = matrices.count() * matrices.rows() * matrices.columns();
    MemorySegment data = Arena.ofAuto().allocate(bytes, ALIGNMENT);
    return ByteMatrices.packed(data, matrices.count(), matrices.rows(), matrices.columns());
  }
}
