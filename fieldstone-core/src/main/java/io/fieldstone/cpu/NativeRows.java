package io.fieldstone.cpu;

import io.fieldstone.engine.ByteMatrices;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Matrices as kernels want them: in native memory that every worker may touch.
 *
 * <p>Native memory is used in place. Memory confined to the calling thread is seen through its
 * address, which is safe because that thread waits inside the port and only it could free the
 * memory. Heap memory is copied, so that kernels meet one kind of segment only: a call site that
 * has seen both compiles to several times slower code.
 */
final class NativeRows {

  /** A cache line, and the widest vector. */
  static final int ALIGNMENT = 64;

  /** Never started: stands for the workers in questions of access. */
  private static final Thread ANY_OTHER_THREAD = Thread.ofPlatform().unstarted(() -> {});

  private NativeRows() {}

  /** The matrices themselves, or a native copy of them. */
  static ByteMatrices input(ByteMatrices matrices) {
    if (matrices.data().isNative()) {
      return shared(matrices);
    }
    ByteMatrices copy = like(matrices);
    copy(matrices, copy);
    return copy;
  }

  /** The matrices themselves, or native memory of their shape for {@link #bringBack}. */
  static ByteMatrices output(ByteMatrices matrices) {
    return matrices.data().isNative() ? shared(matrices) : like(matrices);
  }

  /** Copies results home if {@link #output} had to put them elsewhere. */
  static void bringBack(ByteMatrices output, ByteMatrices home) {
    if (!home.data().isNative()) {
      copy(output, home);
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

  private static ByteMatrices shared(ByteMatrices matrices) {
    MemorySegment data = matrices.data();
    if (data.isAccessibleBy(ANY_OTHER_THREAD)) {
      return matrices;
    }
    MemorySegment view = MemorySegment.ofAddress(data.address()).reinterpret(data.byteSize());
    return new ByteMatrices(
        view,
        matrices.count(),
        matrices.rows(),
        matrices.columns(),
        matrices.stride(),
        matrices.pitch());
  }

  /** Bytes from a row to the next in a layout that keeps rows on cache lines and off one L1 set. */
  static long paddedStride(int columns) {
    long lines = (columns + ALIGNMENT - 1L) / ALIGNMENT;
    boolean aliases = lines % 8 == 0;
    return (aliases ? lines + 1 : lines) * ALIGNMENT;
  }
}
