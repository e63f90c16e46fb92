package io.fieldstone.engine.coding;

import java.lang.foreign.MemorySegment;

/**
 * The coefficients of a batch of products, {@code count} matrices of m×n bytes. They are given as
 * bytes ({@link ByteMatrices}) or as a rule ({@link RandomCoefficients}). From a rule, an engine
 * generates them where it multiplies, without a transfer and without storing all of them.
 */
public sealed interface Coefficients permits ByteMatrices, RandomCoefficients {

  /** Returns the number of matrices. */
  long count();

  /** Returns the number of rows m of each matrix: output blocks. */
  int rows();

  /** Returns the number of columns n of each matrix: input blocks. */
  int columns();

  /**
   * Returns matrices {@code first} … {@code first + count − 1}.
   *
   * @throws IndexOutOfBoundsException if the range exceeds the matrices
   */
  Coefficients matrices(long first, long count);

  /**
   * Returns rows {@code first} … {@code first + rows − 1} of every matrix.
   *
   * @throws IndexOutOfBoundsException if the range exceeds the rows
   */
  Coefficients rows(int first, int rows);

  /** Returns the shape, for messages. */
  default String shape() {
    return "%d of %d×%d".formatted(count(), rows(), columns());
  }

  /**
   * Returns the memory of the coefficients; {@link MemorySegment#NULL} if the engine generates
   * them.
   */
  MemorySegment memory();

  /**
   * Returns a view of the coefficients that any thread can use, within {@link
   * io.fieldstone.engine.memory.HeldMemory#run}.
   *
   * @throws IllegalStateException if the calling thread does not hold their memory
   */
  Coefficients unconfined();
}
