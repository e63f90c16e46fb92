package io.fieldstone.engine;

import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;

/**
 * Blocks that stay on an engine: {@code count} matrices of n×k bytes in the engine's own layout,
 * laid out once, from which any number of products are drawn. Servers keep segments here; recoders
 * and decoders keep received payloads here.
 *
 * <p>Products may be drawn by several threads at once; a store must not run beside another call on
 * the same matrix.
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
    for (long matrix = 0; matrix < blocks.count(); matrix++) {
      for (int row = 0; row < blocks.rows(); row++) {
        store(matrix, row, blocks.row(matrix, row));
      }
    }
  }

  /** Copies a block out into {@code destination}, {@code columns()} bytes. */
  void read(long matrix, int row, MemorySegment destination);

  /**
   * Products of resident matrices {@code first}, {@code first + 1}, …: {@code products[i] =
   * coefficients[i] · this[first + i]}.
   *
   * @param coefficients c × m×n' bytes with n' ≤ {@code rows()}: the first n' rows are multiplied
   * @param products c × m×{@code columns()} bytes, overwritten
   * @throws IllegalArgumentException if the shapes do not agree
   */
  void multiply(long first, ByteMatrices coefficients, ByteMatrices products);

  /** Frees the memory. Idempotent. */
  @Override
  void close();
}
