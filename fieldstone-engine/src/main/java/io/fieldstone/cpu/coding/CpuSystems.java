package io.fieldstone.cpu.coding;

import io.fieldstone.cpu.execution.NativeRows;
import io.fieldstone.cpu.execution.ScratchPool;
import io.fieldstone.cpu.execution.ScratchPool.Scratch;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.CodingPreconditions;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.engine.coding.Eliminations;
import io.fieldstone.engine.coding.RandomCoefficients;
import io.fieldstone.engine.memory.HeldMemory;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;

/**
 * Solves square systems, in the caller's memory or of resident blocks, by inverting the
 * coefficients and multiplying the right sides.
 */
public final class CpuSystems implements Eliminations {

  /**
   * Bytes of inverses and drawn coefficients at a time: enough matrices for every thread, little
   * compared to the blocks.
   */
  private static final long WORK_BYTES = 32 << 20;

  private final CpuInversions inversions;
  private final CpuProducts products;
  private final CoefficientWriter drawing;
  private final ScratchPool scratchPool;

  public CpuSystems(
      CpuInversions inversions,
      CpuProducts products,
      CoefficientWriter drawing,
      ScratchPool scratchPool) {
    this.inversions = inversions;
    this.products = products;
    this.drawing = drawing;
    this.scratchPool = scratchPool;
  }

  @Override
  public int[] invert(Gf256 field, ByteMatrices matrices, ByteMatrices inverses) {
    return inversions.invert(field, matrices, inverses);
  }

  @Override
  public Basis basis(Gf256 field, int columns) {
    return inversions.basis(field, columns);
  }

  @Override
  public int[] solve(
      Gf256 field, Coefficients coefficients, ByteMatrices rights, ByteMatrices solutions) {
    CodingPreconditions.requireSystems(coefficients, rights, solutions);
    NativeRows.requireWritable(solutions.data());
    int[] ranks = new int[Math.toIntExact(coefficients.count())];
    HeldMemory.runWithoutCallbacks(
        () -> solveHeld(field, coefficients, rights, solutions, ranks),
        coefficients.memory(),
        rights.data(),
        solutions.data());
    return ranks;
  }

  private void solveHeld(
      Gf256 field,
      Coefficients coefficients,
      ByteMatrices rights,
      ByteMatrices solutions,
      int[] ranks) {
    int n = coefficients.rows();
    if (n == 0 || ranks.length == 0) {
      return;
    }
    long matrixBytes = (long) n * n;
    int buffers = coefficients instanceof RandomCoefficients ? 2 : 1;
    int atOnce = Math.clamp(WORK_BYTES / (buffers * matrixBytes), 1, ranks.length);
    try (Scratch scratch = scratchPool.take(buffers * matrixBytes * atOnce)) {
      for (int from = 0; from < ranks.length; from += atOnce) {
        int count = Math.min(atOnce, ranks.length - from);
        ByteMatrices inverses = ByteMatrices.packed(scratch.segment(), count, n, n);
        MemorySegment rest = scratch.segment().asSlice(matrixBytes * count);
        ByteMatrices matrices = written(coefficients.matrices(from, count), rest);
        int[] ranksHere = inversions.invert(field, matrices, inverses);
        System.arraycopy(ranksHere, 0, ranks, from, count);
        multiplyRegular(
            field,
            ranksHere,
            inverses,
            rights.matrices(from, count),
            solutions.matrices(from, count));
      }
    }
  }

  /** Returns the given coefficients, or random ones after writing them to {@code memory}. */
  private ByteMatrices written(Coefficients coefficients, MemorySegment memory) {
    return switch (coefficients) {
      case ByteMatrices given -> given;
      case RandomCoefficients draws -> {
        ByteMatrices drawn =
            ByteMatrices.packed(memory, draws.count(), draws.rows(), draws.columns());
        drawing.write(draws, drawn);
        yield drawn;
      }
    };
  }

  /** Multiplies each run of matrices of full rank by one product. */
  private void multiplyRegular(
      Gf256 field,
      int[] ranks,
      ByteMatrices inverses,
      ByteMatrices rights,
      ByteMatrices solutions) {
    int n = inverses.rows();
    for (int first = 0; first < ranks.length; ) {
      int end = first;
      while (end < ranks.length && ranks[end] == n) {
        end++;
      }
      int count = end - first;
      if (count > 0) {
        products.multiply(
            field,
            inverses.matrices(first, count),
            rights.matrices(first, count),
            solutions.matrices(first, count));
      }
      first = end + 1;
    }
  }
}
