package io.fieldstone.engine.coding;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Native memory that is reused from call to call and grows with the largest request. Each request
 * takes over the memory of the one before. For one thread at a time.
 *
 * <p>Requests that grow a little each time open few arenas: closing a shared one makes every thread
 * of the process stop. The memory held exceeds the largest request by at most {@value #MAX_SPARE}
 * bytes.
 */
public final class Scratch implements AutoCloseable {

  /** Rows start on cache lines. */
  private static final long ALIGNMENT = 64;

  /** The first arena has at least this size. */
  private static final long MIN_BYTES = 4 << 10;

  private static final long MAX_SPARE = 1 << 20;

  private Arena arena = Arena.ofShared();
  private ByteMatrices matrices = ByteMatrices.of(MemorySegment.NULL, 0, 0);

  /** Empty at first. */
  public Scratch() {}

  /** {@code count} packed matrices of {@code rows}×{@code columns} bytes of any content. */
  public ByteMatrices matrices(long count, int rows, int columns) {
    if (matrices.count() != count || matrices.rows() != rows || matrices.columns() != columns) {
      long bytes = Math.multiplyExact(count, (long) rows * columns);
      if (bytes > matrices.data().byteSize()) {
        long reserved = grown(matrices.data().byteSize(), bytes);
        arena.close();
        arena = Arena.ofShared();
        matrices = ByteMatrices.of(arena.allocate(reserved, ALIGNMENT), 0, 0);
      }
      matrices = ByteMatrices.packed(matrices.data(), count, rows, columns);
    }
    return matrices;
  }

  /** Doubles what is held, so that a thousand larger requests make ten arenas. */
  private static long grown(long held, long wanted) {
    long doubled = Math.min(2 * held, wanted + MAX_SPARE);
    return Math.max(Math.max(wanted, MIN_BYTES), doubled);
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
