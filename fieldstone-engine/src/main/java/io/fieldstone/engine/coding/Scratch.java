package io.fieldstone.engine.coding;

import io.fieldstone.engine.memory.CountedArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Native memory that is reused from call to call and grows with the largest request. Each request
 * invalidates the memory of the previous one. For one thread at a time.
 *
 * <p>Growth replaces few arenas, and an instance that was never used has none, because closing a
 * shared arena stops every thread of the process. The memory exceeds the largest request by at most
 * {@value #MAX_SPARE} bytes.
 */
public final class Scratch implements AutoCloseable {

  /** Alignment in bytes: rows start on cache lines. */
  private static final long ALIGNMENT = 64;

  /** The minimum size of an arena in bytes. */
  private static final long MIN_BYTES = 4 << 10;

  private static final long MAX_SPARE = 1 << 20;

  private static final ByteMatrices NONE = ByteMatrices.of(MemorySegment.NULL, 0, 0);

  /** Holds the memory, once there is some. */
  private Optional<Arena> arena = Optional.empty();

  private ByteMatrices matrices = NONE;
  private boolean isClosed;

  /** Creates an instance without memory. */
  public Scratch() {}

  /**
   * Returns {@code count} contiguous matrices of {@code rows}×{@code columns} bytes of undefined
   * content.
   *
   * @throws IllegalStateException if the memory has been freed
   */
  public ByteMatrices matrices(long count, int rows, int columns) {
    if (matrices.count() != count || matrices.rows() != rows || matrices.columns() != columns) {
      long bytes = Math.multiplyExact(count, (long) rows * columns);
      if (bytes > matrices.data().byteSize()) {
        if (isClosed) {
          throw new IllegalStateException("Already closed");
        }
        long reserved = grown(matrices.data().byteSize(), bytes);
        matrices = NONE; // also if the allocation fails
        arena.ifPresent(Arena::close);
        Arena larger = new CountedArena();
        arena = Optional.of(larger);
        matrices = ByteMatrices.of(larger.allocate(reserved, ALIGNMENT), 0, 0);
      }
      matrices = ByteMatrices.packed(matrices.data(), count, rows, columns);
    }
    return matrices;
  }

  /**
   * Returns the size of the next arena: sizes double, so that a thousand growing requests need ten
   * arenas.
   */
  private static long grown(long held, long wanted) {
    long doubled = Math.min(2 * held, wanted + MAX_SPARE);
    return Math.max(Math.max(wanted, MIN_BYTES), doubled);
  }

  /** Returns one matrix of {@code rows}×{@code columns} bytes of undefined content. */
  public ByteMatrices matrix(int rows, int columns) {
    return matrices(1, rows, columns);
  }

  /** Frees the memory. Idempotent. */
  @Override
  public void close() {
    if (!isClosed) {
      arena.ifPresent(Arena::close);
      isClosed = true;
    }
  }
}
