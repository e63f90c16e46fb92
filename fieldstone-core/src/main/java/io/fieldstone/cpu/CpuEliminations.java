package io.fieldstone.cpu;

import io.fieldstone.engine.Basis;
import io.fieldstone.engine.ByteMatrices;
import io.fieldstone.engine.Eliminations;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Elimination through a {@link Basis} a matrix; many matrices go to many workers. */
final class CpuEliminations implements Eliminations {

  /** Makes the engine's kind of basis. */
  interface BasisFactory {
    Basis create(Gf256 field, int columns);
  }

  private final BasisFactory bases;
  private final Workers workers;

  CpuEliminations(BasisFactory bases, Workers workers) {
    this.bases = bases;
    this.workers = workers;
  }

  @Override
  public int[] invert(Gf256 field, ByteMatrices matrices, ByteMatrices inverses) {
    if (matrices.rows() != matrices.columns()) {
      throw new IllegalArgumentException(
          "cannot invert %d×%d: not square".formatted(matrices.rows(), matrices.columns()));
    }
    if (inverses.count() != matrices.count()
        || inverses.rows() != matrices.rows()
        || inverses.columns() != matrices.columns()) {
      throw new IllegalArgumentException(
          "inverses of %d %d×%d matrices do not fit %d of %d×%d"
              .formatted(
                  matrices.count(),
                  matrices.rows(),
                  matrices.columns(),
                  inverses.count(),
                  inverses.rows(),
                  inverses.columns()));
    }
    int[] ranks = new int[Math.toIntExact(matrices.count())];
    if (matrices.rows() > 0) {
      try (Arena scratch = Arena.ofShared()) {
        ByteMatrices in = NativeRows.input(matrices, scratch);
        ByteMatrices out = NativeRows.output(inverses, scratch);
        workers.forEach(ranks.length, g -> ranks[g] = invert(field, in, out, g));
        if (!inverses.data().isNative()) {
          NativeRows.copy(out, inverses);
        }
      }
    }
    return ranks;
  }

  @Override
  public Basis basis(Gf256 field, int columns) {
    if (columns < 1) {
      throw new IllegalArgumentException("columns " + columns + " is less than 1");
    }
    return bases.create(field, columns);
  }

  private int invert(Gf256 field, ByteMatrices matrices, ByteMatrices inverses, int g) {
    int n = matrices.rows();
    try (Basis basis = bases.create(field, n);
        Arena arena = Arena.ofConfined()) {
      int[] slots = new int[n];
      for (int row = 0; row < n; row++) {
        slots[row] = basis.add(matrices.row(g, row));
        if (slots[row] == Basis.NOT_INNOVATIVE) {
          return remainingRank(basis, matrices, g, row + 1);
        }
      }
      // Solutions combine received rows by slot; the inverse wants them by row number.
      MemorySegment solution = arena.allocate(n);
      for (int source = 0; source < n; source++) {
        basis.solution(source, solution);
        MemorySegment inverse = inverses.row(g, source);
        for (int row = 0; row < n; row++) {
          inverse.set(
              ValueLayout.JAVA_BYTE, row, solution.get(ValueLayout.JAVA_BYTE, slots[row]));
        }
      }
      return n;
    }
  }

  private static int remainingRank(Basis basis, ByteMatrices matrices, int g, int from) {
    for (int row = from; row < matrices.rows(); row++) {
      basis.add(matrices.row(g, row));
    }
    return basis.rank();
  }
}
