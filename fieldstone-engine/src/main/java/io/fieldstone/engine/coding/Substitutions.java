package io.fieldstone.engine.coding;

import io.fieldstone.engine.memory.CountedArena;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;

/**
 * The substitution port: solves lower-triangular systems by forward substitution (HPDS, Section
 * 3.3, Equation 1). It does half the work of a product by the inverse, and needs no elimination.
 * Pipeline codes give such systems. Thread-safe.
 *
 * <p>Frame s follows from the frames before it: p_s = (c_s − Σ_{i&lt;s} e_i·p_i) / e_s.
 */
public interface Substitutions {

  /**
   * Solves {@code lower[g] · solutions[g] = rights[g]} for each generation g.
   *
   * <p>Entries of {@code lower} above the diagonal are not read. Bytes outside the n×k bytes of
   * each solution are not written.
   *
   * @param lower count × n×n bytes; row s of a matrix is the vector of frame s, e_s ≠ 0
   * @param rights count × n×k bytes; row s of a matrix is coded frame s
   * @param solutions count × n×k bytes, overwritten; must not overlap the inputs
   * @throws IllegalArgumentException if the shapes do not agree, or an entry on a diagonal is zero;
   *     no solution is then written
   */
  void solve(Gf256 field, ByteMatrices lower, ByteMatrices rights, ByteMatrices solutions);

  /**
   * Solves systems whose right sides are resident and in any order. Row s of right side g is row
   * {@code order[g·n + s]} of {@code rights[first + g]}.
   *
   * @param lower count × n×n bytes, rows in the order of the frames
   * @param order count·n row numbers of {@code rights}
   * @param solutions count × n×{@code rights.columns()} bytes, overwritten
   * @throws IllegalArgumentException if the shapes do not agree, an entry on a diagonal is zero, or
   *     {@code order} has another length
   * @throws IndexOutOfBoundsException if a matrix or a row does not exist
   * @see #solve(Gf256, ByteMatrices, ByteMatrices, ByteMatrices)
   */
  default void solve(
      ByteMatrices lower, ResidentBlocks rights, long first, int[] order, ByteMatrices solutions) {
    int n = lower.rows();
    int k = rights.columns();
    int[] rows = TriangularSystems.requireSolvable(lower, rights, first, order, solutions);
    try (Arena arena = new CountedArena()) {
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
   * Creates a substitution of one system of n frames of k bytes, whose frames arrive one at a time.
   *
   * @throws IllegalArgumentException if n or k is less than 1
   */
  Substitution open(Gf256 field, int n, int k);
}
