package io.fieldstone.engine.coding;

import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Blocks that stay on an engine: {@code count} matrices of n×k bytes in the engine's own layout,
 * laid out once, from which any number of products are drawn. Servers keep segments here; recoders
 * and decoders keep received payloads here. Products and solutions may stay here too.
 *
 * <p>Products may be drawn by several threads at once; whatever writes a matrix must not run beside
 * another call on the same matrix.
 */
public interface ResidentBlocks extends AutoCloseable {

  /** The field of the products. */
  Gf256 field();

  /** Number of matrices. */
  long count();

  /** Blocks of each matrix, n. */
  int rows();

  /** Bytes of each block, k. */
  int columns();

  /**
   * Copies a block in.
   *
   * @param block {@code columns()} bytes
   * @throws IllegalArgumentException if the block has another size
   * @throws IndexOutOfBoundsException if there is no such matrix or row
   */
  void store(long matrix, int row, MemorySegment block);

  /** Copies everything in; {@code blocks} has this shape. */
  default void store(ByteMatrices blocks) {
    if (blocks.count() != count() || blocks.rows() != rows() || blocks.columns() != columns()) {
      throw new IllegalArgumentException(
          "%d×%d×%d blocks do not fit a resident %d×%d×%d"
              .formatted(
                  blocks.count(), blocks.rows(), blocks.columns(), count(), rows(), columns()));
    }
    store(0, blocks);
  }

  /**
   * Copies matrices {@code first}, {@code first + 1}, … in.
   *
   * @param blocks c × r×{@code columns()} bytes with r ≤ {@code rows()}: the first r rows of each
   *     matrix are written
   * @throws IllegalArgumentException if the shapes do not agree
   * @throws IndexOutOfBoundsException if there are not so many matrices
   */
  default void store(long first, ByteMatrices blocks) {
    Objects.checkFromIndexSize(first, blocks.count(), count());
    if (blocks.rows() > rows() || blocks.columns() != columns()) {
      throw new IllegalArgumentException(
          "%d×%d blocks do not fit resident %d×%d"
              .formatted(blocks.rows(), blocks.columns(), rows(), columns()));
    }
    for (long matrix = 0; matrix < blocks.count(); matrix++) {
      for (int row = 0; row < blocks.rows(); row++) {
        store(first + matrix, row, blocks.row(matrix, row));
      }
    }
  }

  /** Copies a block out into {@code destination}, {@code columns()} bytes. */
  void read(long matrix, int row, MemorySegment destination);

  /**
   * Copies matrices {@code first}, {@code first + 1}, … out.
   *
   * @param destination c × r×{@code columns()} bytes with r ≤ {@code rows()}: the first r rows of
   *     each matrix are read
   * @throws IllegalArgumentException if the shapes do not agree
   * @throws IndexOutOfBoundsException if there are not so many matrices
   */
  default void read(long first, ByteMatrices destination) {
    Objects.checkFromIndexSize(first, destination.count(), count());
    if (destination.rows() > rows() || destination.columns() != columns()) {
      throw new IllegalArgumentException(
          "resident %d×%d blocks do not fit %d×%d"
              .formatted(rows(), columns(), destination.rows(), destination.columns()));
    }
    for (long matrix = 0; matrix < destination.count(); matrix++) {
      for (int row = 0; row < destination.rows(); row++) {
        read(first + matrix, row, destination.row(matrix, row));
      }
    }
  }

  /**
   * Products of resident matrices {@code first}, {@code first + 1}, …: {@code products[i] =
   * coefficients[i] · this[first + i]}.
   *
   * @param coefficients c × m×n' with n' ≤ {@code rows()}, given or drawn by the engine: the first
   *     n' rows are multiplied
   * @param products c × m×{@code columns()} bytes, overwritten
   * @throws IllegalArgumentException if the shapes do not agree
   * @throws IndexOutOfBoundsException if there are not so many matrices
   */
  void multiply(long first, Coefficients coefficients, ByteMatrices products);

  /**
   * As {@link #multiply(long, Coefficients, ByteMatrices)}, with products that stay on the engine:
   * {@code products[firstProduct + i] = coefficients[i] · this[first + i]}.
   *
   * @param products blocks of the same engine and field, {@code products.rows()} = m; may be these
   *     blocks themselves if no matrix is both source and product
   * @throws IllegalArgumentException if the shapes do not agree, the products are of another engine
   *     or field, or a matrix is both source and product
   * @throws IndexOutOfBoundsException if there are not so many matrices
   */
  void multiply(long first, Coefficients coefficients, ResidentBlocks products, long firstProduct);

  /**
   * Solves {@code coefficients[i] · solutions[i] = this[first + i]} for each i. A matrix of short
   * rank leaves its solution as it was.
   *
   * @param coefficients c × n×n with n ≤ {@code rows()}, given or drawn by the engine: the right
   *     side is the first n rows of each resident matrix
   * @param solutions c × n×{@code columns()} bytes
   * @return the rank of each matrix; n where the solution has been written
   * @throws IllegalArgumentException if the coefficients are not square or the shapes do not agree
   * @throws IndexOutOfBoundsException if there are not so many matrices
   */
  int[] solve(long first, Coefficients coefficients, ByteMatrices solutions);

  /**
   * As {@link #solve(long, Coefficients, ByteMatrices)}, with solutions that stay on the engine, in
   * {@code solutions[firstSolution + i]}.
   *
   * @param solutions blocks of the same engine and field, {@code solutions.rows()} = n; may be
   *     these blocks themselves if no matrix is both right side and solution
   * @return the rank of each matrix; n where the solution has been written
   * @throws IllegalArgumentException if the coefficients are not square, the shapes do not agree,
   *     the solutions are of another engine or field, or a matrix is both right side and solution
   * @throws IndexOutOfBoundsException if there are not so many matrices
   */
  int[] solve(long first, Coefficients coefficients, ResidentBlocks solutions, long firstSolution);

  /** Frees the memory. Idempotent. */
  @Override
  void close();
}
