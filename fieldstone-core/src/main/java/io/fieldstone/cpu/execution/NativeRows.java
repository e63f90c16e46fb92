package io.fieldstone.cpu.execution;

import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.memory.HeldMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Matrices as kernels want them: in native memory that every worker may touch.
 *
 * <p>Native memory is used in place: the port keeps it open until its work is done ({@link
 * HeldMemory}). Heap memory is copied, so that kernels meet native memory only.
 */
public final class NativeRows {

  /** A cache line, and the widest vector. */
  public static final int ALIGNMENT = 64;

  private NativeRows() {}

  /** The matrices themselves, or a native copy of them. */
  public static ByteMatrices input(ByteMatrices matrices) {
    HeldMemory.requireHeld(matrices.data());
    if (matrices.data().isNative()) {
      return matrices;
    }
    ByteMatrices copy = like(matrices);
    copy(matrices, copy);
    return copy;
  }

  /** The matrices themselves, or native memory of their shape for {@link #bringBack}. */
  public static ByteMatrices output(ByteMatrices matrices) {
    requireWritable(matrices.data());
    HeldMemory.requireHeld(matrices.data());
    return matrices.data().isNative() ? matrices : like(matrices);
  }

  /** Copies results home if {@link #output} had to put them elsewhere. */
  public static void bringBack(ByteMatrices output, ByteMatrices home) {
    if (!home.data().isNative()) {
      copy(output, home);
    }
  }

  public static void requireWritable(MemorySegment data) {
    if (data.isReadOnly()) {
      throw new IllegalArgumentException("the products' memory is read-only");
    }
  }

  /** Copies row by row, leaving what lies between rows alone. */
  private static void copy(ByteMatrices from, ByteMatrices to) {
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

  /** Bytes from a row to the next in a layout that keeps rows on cache lines and off one L1 set. */
  public static long paddedStride(int columns) {
    long lines = (columns + ALIGNMENT - 1L) / ALIGNMENT;
    boolean aliases = lines % 8 == 0;
    return (aliases ? lines + 1 : lines) * ALIGNMENT;
  }
}
