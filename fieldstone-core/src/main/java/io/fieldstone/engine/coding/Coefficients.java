package io.fieldstone.engine.coding;

import java.lang.foreign.MemorySegment;

/**
 * The coefficients of a batch of products, {@code count} matrices of m×n bytes: given as bytes
 * ({@link ByteMatrices}), or by a rule from which the engine draws them itself ({@link
 * RandomCoefficients}), so that they never cross a bus and are never held all at once.
 */
public sealed interface Coefficients permits ByteMatrices, RandomCoefficients {

  /** Number of matrices. */
  long count();

  /** Rows m of each matrix: blocks that are made. */
  int rows();

  /** Columns n of each matrix: blocks that are combined. */
  int columns();

  /**
   * Matrices {@code first} … {@code first + count − 1}.
   *
   * @throws IndexOutOfBoundsException if there are not so many
   */
  Coefficients matrices(long first, long count);

  /**
   * Rows {@code first} … {@code first + rows − 1} of every matrix.
   *
   * @throws IndexOutOfBoundsException if there are not so many
   */
  Coefficients rows(int first, int rows);

  /** Their shape, for messages. */
  default String shape() {
    return "%d of %d×%d".formatted(count(), rows(), columns());
  }

  /** Returns their memory; {@link MemorySegment#NULL} if the engine draws them. */
  MemorySegment memory();

  /**
   * Returns the same coefficients for any thread, within {@link
   * io.fieldstone.engine.memory.HeldMemory#run}.
   *
   * @throws IllegalStateException if the calling thread does not hold their memory
   */
  Coefficients unconfined();
}
