package io.fieldstone.engine.coding;

import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;

/**
 * The substitution port: lower-triangular systems, solved by forward substitution (HPDS, Sec. 3.3,
 * Eq. 1) with half the work of a product by the inverse, and no elimination at all. Pipeline codes
 * make such systems. Thread-safe.
 *
 * <p>Frame s follows from those before it: p_s = (c_s − Σ_{i&lt;s} e_i·p_i) / e_s.
 */
public interface Substitutions {

  /**
   * Solves {@code lower[g] · solutions[g] = rights[g]} for each generation g.
   *
   * <p>Only the entries of {@code lower} on and below the diagonal are read. Nothing outside the
   * n×k bytes of each solution is written.
   *
   * @param lower count × n×n bytes; row s of a matrix is the vector of frame s, e_s ≠ 0
   * @param rights count × n×k bytes; row s of a matrix is coded frame s
   * @param solutions count × n×k bytes, overwritten; must not overlap the inputs
   * @throws IllegalArgumentException if the shapes do not agree, or an entry on a diagonal is zero,
   *     with its generation and row; then nothing has been written
   */
  void solve(Gf256 field, ByteMatrices lower, ByteMatrices rights, ByteMatrices solutions);

  /**
   * As {@link #solve(Gf256, ByteMatrices, ByteMatrices, ByteMatrices)}, with right sides that stay
   * on the engine, in any order: row s of right side g is row {@code order[g·n + s]} of {@code
   * rights[first + g]}.
   *
   * @param lower count × n×n bytes, rows in the order of the frames
   * @param order count·n rows of {@code rights}
   * @param solutions count × n×{@code rights.columns()} bytes, overwritten
   * @throws IllegalArgumentException as there, or if {@code order} has another length
   * @throws IndexOutOfBoundsException if there are not so many matrices or rows
   */
  default void solve(
      ByteMatrices lower, ResidentBlocks rights, long first, int[] order, ByteMatrices solutions) {
    int n = lower.rows();
    int k = rights.columns();
    int[] rows = TriangularSystems.requireSolvable(lower, rights, first, order, solutions);
    try (Arena arena = Arena.ofShared()) {
      ByteMatrices sorted =
          ByteMatrices.packed(arena.allocate(lower.count() * n * k, 64), lower.count(), n, k);
      for (int g = 0; g < lower.count(); g++) {
        for (int s = 0; s < n; s++) {
          rights.read(first + g, rows[g * n + s], sorted.row(g, s));
        }
      }
      solve(rights.field(), lower, sorted, solutions);
    }
  }

  /**
   * Begins to solve one system of n frames of k bytes, frame by frame as they arrive.
   *
   * @throws IllegalArgumentException if n or k is less than 1
   */
  Substitution begin(Gf256 field, int n, int k);
}
