package io.fieldstone.engine.coding;

import io.fieldstone.field.Gf256;

/**
 * The elimination port: inverting coefficient matrices and solving square systems, all at once, or
 * a row at a time. Thread-safe.
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
   * Solves square systems: {@code coefficients[i] · solutions[i] = rights[i]}. The inverses stay
   * where the engine makes them; for an engine across a bus, right sides go up while solutions come
   * down.
   *
   * @param coefficients count × n×n
   * @param rights count × n×k bytes, k ≥ 1, left as they are
   * @param solutions count × n×k bytes; the solution of a singular matrix is left as it was, every
   *     other overwritten. Nothing of it may be part of the other matrices
   * @return the rank of each matrix; n where it was solved
   * @throws IllegalArgumentException if the coefficients are not square, the shapes do not agree or
   *     the right sides have no columns
   */
  int[] solve(Gf256 field, Coefficients coefficients, ByteMatrices rights, ByteMatrices solutions);

  /**
   * An empty basis of vectors of {@code columns} coefficients, to which rows are added as they
   * arrive.
   *
   * @throws IllegalArgumentException if columns is less than 1
   */
  Basis basis(Gf256 field, int columns);
}
