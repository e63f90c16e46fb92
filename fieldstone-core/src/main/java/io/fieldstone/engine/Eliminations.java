package io.fieldstone.engine;

import io.fieldstone.field.Gf256;

/**
 * The elimination port: inverting coefficient matrices, at once or a row at a time. Thread-safe.
 */
public interface Eliminations {

  /**
   * Inverts each n×n matrix.
   *
   * @param matrices count × n×n bytes, left as they are
   * @param inverses count × n×n bytes, overwritten; where a matrix is singular its inverse is left
   *     undefined
   * @return the rank of each matrix; n where the inverse is valid
   * @throws IllegalArgumentException if the matrices are not square or the shapes do not agree
   */
  int[] invert(Gf256 field, ByteMatrices matrices, ByteMatrices inverses);

  /**
   * An empty basis of vectors of {@code columns} coefficients, to which rows are added as they
   * arrive.
   *
   * @throws IllegalArgumentException if columns is less than 1
   */
  Basis basis(Gf256 field, int columns);
}
