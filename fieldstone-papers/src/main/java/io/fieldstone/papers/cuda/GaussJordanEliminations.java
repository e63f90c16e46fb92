package io.fieldstone.papers.cuda;

import io.fieldstone.cuda.coding.BatchShape;
import io.fieldstone.cuda.coding.HostProductSink;
import io.fieldstone.cuda.coding.HostRows;
import io.fieldstone.cuda.coding.ProductKernels;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.TransferDirection;
import io.fieldstone.cuda.transfer.HostMatrices;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.CodingPreconditions;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.engine.coding.Eliminations;
import io.fieldstone.field.Gf256;

/** Solves systems by {@link GaussJordanJob}; inverts matrices and makes bases as another. */
final class GaussJordanEliminations implements Eliminations {

  private final ProductKernels kernels;
  private final GaussJordanKernels steps;
  private final Eliminations others;

  /**
   * @param others inverts matrices and makes bases
   */
  public GaussJordanEliminations(
      ProductKernels kernels, GaussJordanKernels steps, Eliminations others) {
    this.kernels = kernels;
    this.steps = steps;
    this.others = others;
  }

  @Override
  public int[] invert(Gf256 field, ByteMatrices matrices, ByteMatrices inverses) {
    return others.invert(field, matrices, inverses);
  }

  @Override
  public int[] solve(
      Gf256 field, Coefficients coefficients, ByteMatrices rights, ByteMatrices solutions) {
    CodingPreconditions.requireSystems(coefficients, rights, solutions);
    int[] ranks = new int[Math.toIntExact(coefficients.count())];
    Gpu gpu = kernels.gpu();
    gpu.call(
        () -> "solve %s coefficients for %s".formatted(coefficients.shape(), rights.shape()),
        () -> {
          int n = rights.rows();
          BatchShape shape =
              new BatchShape(
                  solutions.count(), n, n, solutions.columns(), TransferDirection.BOTH_WAYS);
          gpu.jobs()
              .run(
                  new GaussJordanJob(
                      steps,
                      kernels.tables(field),
                      kernels.coefficientSource(coefficients),
                      new HostRows(HostMatrices.input(gpu, rights)),
                      new HostProductSink(HostMatrices.output(gpu, solutions)),
                      shape,
                      ranks));
          return ranks;
        },
        coefficients.memory(),
        rights.data(),
        solutions.data());
    return ranks;
  }

  @Override
  public Basis basis(Gf256 field, int columns) {
    return others.basis(field, columns);
  }
}
