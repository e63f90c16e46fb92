package io.fieldstone.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Native memory that is reused from call to call and grows to the largest request. Each request
 * takes over the memory of the one before. For one thread at a time.
 */
public final class Scratch implements AutoCloseable {

  /** Rows start on cache lines. */
  private static final long ALIGNMENT = 64;

  private Arena arena = Arena.ofShared();
  private ByteMatrices matrices = ByteMatrices.of(MemorySegment.NULL, 0, 0);

  /** Empty at first. */
  public Scratch() {}

  /** {@code count} packed matrices of {@code rows}×{@code columns} bytes of any content. */
  public ByteMatrices matrices(long count, int rows, int columns) {
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
  public ByteMatrices matrix(int rows, int columns) {
    return matrices(1, rows, columns);
  }

  /** Frees the memory. Idempotent. */
  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
