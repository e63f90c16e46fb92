package io.fieldstone.engine.coding;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.util.Objects;

/** Checks lower-triangular systems. Every engine calls these methods before it writes anything. */
public final class TriangularSystems {

  private TriangularSystems() {}

  /**
   * Checks that {@link Substitutions#solve} can solve the systems.
   *
   * @throws IllegalArgumentException if the shapes do not agree or an entry on a diagonal is zero
   */
  public static void requireSolvable(
      ByteMatrices lower, ByteMatrices rights, ByteMatrices solutions) {
    requireShape(lower, rights.count(), rights.rows());
    requireShape(lower, solutions.count(), solutions.rows());
    if (solutions.columns() != rights.columns()) {
      throw new IllegalArgumentException(
          "solutions of %d bytes, right sides of %d"
              .formatted(solutions.columns(), rights.columns()));
    }
    requireDiagonals(lower);
  }

  /**
   * Checks that systems with resident right sides can be solved.
   *
   * @return a copy of {@code order}, which the caller of the port cannot change
   * @throws IllegalArgumentException if the shapes do not agree or an entry on a diagonal is zero
   * @throws IndexOutOfBoundsException if a resident matrix or a row does not exist
   */
  public static int[] requireSolvable(
      ByteMatrices lower, ResidentBlocks rights, long first, int[] order, ByteMatrices solutions) {
    requireShape(lower, solutions.count(), solutions.rows());
    if (solutions.columns() != rights.columns()) {
      throw new IllegalArgumentException(
          "solutions of %d bytes, right sides of %d"
              .formatted(solutions.columns(), rights.columns()));
    }
    Objects.checkFromIndexSize(first, lower.count(), rights.count());
    if (order.length != lower.count() * lower.rows()) {
      throw new IllegalArgumentException(
          "an order of %d rows for %d matrices of %d"
              .formatted(order.length, lower.count(), lower.rows()));
    }
    int[] rows = order.clone();
    for (int row : rows) {
      Objects.checkIndex(row, rights.rows());
    }
    requireDiagonals(lower);
    return rows;
  }

  private static void requireShape(ByteMatrices lower, long count, int rows) {
    if (lower.rows() != lower.columns() || lower.count() != count || lower.rows() != rows) {
      throw new IllegalArgumentException(
          "%d matrices of %d×%d for %d times %d unknowns"
              .formatted(lower.count(), lower.rows(), lower.columns(), count, rows));
    }
  }

  private static void requireDiagonals(ByteMatrices lower) {
    for (long g = 0; g < lower.count(); g++) {
      for (int row = 0; row < lower.rows(); row++) {
        if (lower.data().get(JAVA_BYTE, lower.offset(g, row) + row) == 0) {
          throw new IllegalArgumentException(
              "the diagonal of generation %d is zero in row %d".formatted(g, row));
        }
      }
    }
  }
}
