package io.fieldstone.cpu.coding;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.cpu.execution.NativeRows;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.CodingPreconditions;
import io.fieldstone.engine.coding.Substitution;
import io.fieldstone.engine.coding.Substitutions;
import io.fieldstone.engine.coding.TriangularSystems;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;

/**
 * Solves triangular systems on the calling thread in memory that the JDK checks at each access,
 * where the JVM denies native access.
 */
public final class PlainSubstitutions implements Substitutions {

  private final Engine engine;

  /** Creates the port of an engine. */
  public PlainSubstitutions(Engine engine) {
    this.engine = engine;
  }

  @Override
  public void solve(Gf256 field, ByteMatrices lower, ByteMatrices rights, ByteMatrices solutions) {
    TriangularSystems.requireSolvable(lower, rights, solutions);
    NativeRows.requireWritable(solutions.data());
    int n = lower.rows();
    int k = solutions.columns();
    byte[][] solved = new byte[n][k];
    byte[] factors = new byte[n];
    for (long g = 0; g < lower.count(); g++) {
      for (int s = 0; s < n; s++) {
        byte[] row = solved[s];
        MemorySegment.copy(lower.data(), JAVA_BYTE, lower.offset(g, s), factors, 0, s + 1);
        MemorySegment.copy(rights.data(), JAVA_BYTE, rights.offset(g, s), row, 0, k);
        for (int i = 0; i < s; i++) {
          subtract(field, row, factors[i] & 0xFF, solved[i]);
        }
        int inverse = field.inverse(factors[s] & 0xFF);
        for (int c = 0; c < k; c++) {
          row[c] = (byte) field.multiply(inverse, row[c] & 0xFF);
        }
        MemorySegment.copy(row, 0, solutions.data(), JAVA_BYTE, solutions.offset(g, s), k);
      }
    }
  }

  private static void subtract(Gf256 field, byte[] row, int factor, byte[] other) {
    for (int c = 0; c < row.length && factor != 0; c++) {
      row[c] ^= (byte) field.multiply(factor, other[c] & 0xFF);
    }
  }

  @Override
  public Substitution open(Gf256 field, int n, int k) {
    CodingPreconditions.requireAtLeastOne(n, k);
    return Substitution.byProducts(engine.allocate(field, 1, n, k));
  }
}
