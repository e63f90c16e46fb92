package io.fieldstone.cpu.coding;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.cpu.execution.NativeRows;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.CodingPreconditions;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.engine.coding.Eliminations;
import io.fieldstone.engine.coding.Products;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;

/**
 * Solves systems on the calling thread in memory that the JDK checks at each access, where the JVM
 * denies native access.
 */
public final class PlainEliminations implements Eliminations {

  private final Products products;

  /** Creates the port; it multiplies right sides by products. */
  public PlainEliminations(Products products) {
    this.products = products;
  }

  @Override
  public int[] invert(Gf256 field, ByteMatrices matrices, ByteMatrices inverses) {
    CodingPreconditions.requireInversion(matrices, inverses);
    NativeRows.requireWritable(inverses.data());
    int[] ranks = new int[Math.toIntExact(matrices.count())];
    for (int g = 0; g < ranks.length && matrices.rows() > 0; g++) {
      ranks[g] = invertOne(field, matrices.matrix(g), inverses.matrix(g));
    }
    return ranks;
  }

  /** Inverts one matrix if it is regular, and returns its rank. */
  private static int invertOne(Gf256 field, ByteMatrices matrix, ByteMatrices inverse) {
    int n = matrix.rows();
    ScalarBasis basis = new ScalarBasis(field, n);
    int[] slots = new int[n];
    for (int row = 0; row < n; row++) {
      slots[row] = basis.add(matrix.row(0, row));
    }
    if (basis.rank() == n) {
      byte[] bySlot = new byte[n];
      byte[] byRow = new byte[n];
      for (int source = 0; source < n; source++) {
        basis.solution(source, MemorySegment.ofArray(bySlot));
        for (int row = 0; row < n; row++) {
          byRow[row] = bySlot[slots[row]];
        }
        MemorySegment.copy(byRow, 0, inverse.data(), JAVA_BYTE, inverse.offset(0, source), n);
      }
    }
    return basis.rank();
  }

  @Override
  public int[] solve(
      Gf256 field, Coefficients coefficients, ByteMatrices rights, ByteMatrices solutions) {
    CodingPreconditions.requireSystems(coefficients, rights, solutions);
    NativeRows.requireWritable(solutions.data());
    int n = coefficients.rows();
    int[] ranks = new int[Math.toIntExact(coefficients.count())];
    if (n == 0) {
      return ranks;
    }
    byte[] inverseBytes = new byte[Math.multiplyExact(n, n)];
    ByteMatrices inverse = ByteMatrices.packed(MemorySegment.ofArray(inverseBytes), 1, n, n);
    for (int g = 0; g < ranks.length; g++) {
      ranks[g] = invertOne(field, PlainProducts.written(coefficients.matrices(g, 1)), inverse);
      if (ranks[g] == n) {
        products.multiply(field, inverse, rights.matrices(g, 1), solutions.matrices(g, 1));
      }
    }
    return ranks;
  }

  @Override
  public Basis basis(Gf256 field, int columns) {
    if (columns < 1) {
      throw new IllegalArgumentException("columns " + columns + " is less than 1");
    }
    return new ScalarBasis(field, columns);
  }
}
