package io.fieldstone.engine.coding;

import io.fieldstone.field.Gf256;

/**
 * The elimination port: inverts coefficient matrices and solves square systems, in batches or row
 * by row. Thread-safe.
 */
public interface Eliminations {

  /**
   * Inverts each n×n matrix.
   *
   * @param matrices count × n×n bytes, not changed
   * @param inverses count × n×n bytes, overwritten; the inverse of a singular matrix is undefined
   * @return the rank of each matrix; n if it is invertible
   * @throws IllegalArgumentException if the matrices are not square or the shapes do not agree
   */
  int[] invert(Gf256 field, ByteMatrices matrices, ByteMatrices inverses);

  /**
   * Solves square systems: {@code coefficients[i] · solutions[i] = rights[i]}. Inverses stay on the
   * engine. A GPU overlaps uploads of right sides with downloads of solutions.
   *
   * @param coefficients count × n×n
   * @param rights count × n×k bytes, k ≥ 1, not changed
   * @param solutions count × n×k bytes, overwritten; the solution of a singular matrix is not
   *     changed. Must not overlap the inputs
   * @return the rank of each matrix; n if its system was solved
   * @throws IllegalArgumentException if the coefficients are not square, shapes do not agree, or
   *     right sides have no columns
   */
  int[] solve(Gf256 field, Coefficients coefficients, ByteMatrices rights, ByteMatrices solutions);

  /**
   * Creates an empty basis of vectors of {@code columns} coefficients.
   *
   * @throws IllegalArgumentException if {@code columns} is less than 1
   */
  Basis basis(Gf256 field, int columns);
}
