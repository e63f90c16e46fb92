package io.fieldstone.rlnc;

import io.fieldstone.engine.ByteMatrices;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Native memory that is reused from call to call and grows to the largest request. Each request
 * takes over the memory of the one before.
 */
final class Scratch implements AutoCloseable {

  /** Rows start on cache lines. */
  private static final long ALIGNMENT = 64;

  private Arena arena = Arena.ofShared();
  private ByteMatrices matrices = ByteMatrices.of(MemorySegment.NULL, 0, 0);

  /** {@code count} packed matrices of {@code rows}×{@code columns} bytes of any content. */
  ByteMatrices matrices(long count, int rows, int columns) {
    if (matrices.count() != count || matrices.rows() != rows || matrices.columns() != columns) {
      long bytes = Math.multiplyExact(count, (long) rows * columns);
      if (bytes > matrices.data().byteSize()) {
        arena.close();
        arena = Arena.ofShared();
        matrices = ByteMatrices.of(arena.allocate(bytes, ALIGNMENT), 0, 0);
      }
      matrices = ByteMatrices.packed(matrices.data(), count, rows, columns);
    }
    return matrices;
  }

  /** One matrix, as {@link #matrices(long, int, int)}. */
  ByteMatrices matrix(int rows, int columns) {
    return matrices(1, rows, columns);
  }

  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
