package io.fieldstone.papers.cuda;

import io.fieldstone.cuda.coding.BatchShape;
import io.fieldstone.cuda.coding.HostProductSink;
import io.fieldstone.cuda.coding.HostRows;
import io.fieldstone.cuda.coding.MatrixJob;
import io.fieldstone.cuda.coding.ProductKernels;
import io.fieldstone.cuda.coding.SourceBlocks;
import io.fieldstone.cuda.coding.blocks.CudaResidentBlocks;
import io.fieldstone.cuda.coding.decoding.CudaSubstitution;
import io.fieldstone.cuda.coding.decoding.FrameKernel;
import io.fieldstone.cuda.coding.decoding.OrderedRows;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.TransferDirection;
import io.fieldstone.cuda.transfer.HostMatrices;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.Substitution;
import io.fieldstone.engine.coding.Substitutions;
import io.fieldstone.engine.coding.TriangularSystems;
import io.fieldstone.field.Gf256;

/**
 * Solves lower-triangular systems on the GPU by forward substitution, without inverses: HPDS and
 * its baseline.
 */
final class DirectSubstitutions implements Substitutions {

  private final Gpu gpu;
  private final ProductKernels kernels;
  private final FrameKernel frames;

  DirectSubstitutions(ProductKernels kernels, FrameKernel frames) {
    this.gpu = kernels.gpu();
    this.kernels = kernels;
    this.frames = frames;
  }

  @Override
  public void solve(Gf256 field, ByteMatrices lower, ByteMatrices rights, ByteMatrices solutions) {
    TriangularSystems.requireSolvable(lower, rights, solutions);
    gpu.call(
        () -> "solve %s triangles for %s".formatted(lower.shape(), rights.shape()),
        () -> {
          SourceBlocks sources = new HostRows(HostMatrices.input(gpu, rights));
          gpu.jobs().run(job(field, lower, sources, solutions));
          return solutions;
        },
        lower.data(),
        rights.data(),
        solutions.data());
  }

  @Override
  public void solve(
      ByteMatrices lower, ResidentBlocks rights, long first, int[] order, ByteMatrices solutions) {
    int[] rows = TriangularSystems.requireSolvable(lower, rights, first, order, solutions);
    CudaResidentBlocks blocks = CudaResidentBlocks.on(gpu, rights);
    gpu.call(
        () -> "solve %s triangles for resident %s".formatted(lower.shape(), rights),
        () -> {
          blocks.withSources(
              first,
              (kernel, stored) ->
                  gpu.jobs()
                      .run(
                          job(
                              rights.field(),
                              lower,
                              new OrderedRows(kernel, stored, rows, lower.rows()),
                              solutions)));
          return solutions;
        },
        lower.data(),
        solutions.data());
  }

  private MatrixJob job(
      Gf256 field, ByteMatrices lower, SourceBlocks sources, ByteMatrices solutions) {
    BatchShape shape =
        new BatchShape(
            solutions.count(),
            solutions.rows(),
            sources.blocks(),
            solutions.columns(),
            TransferDirection.BOTH_WAYS);
    return new SubstitutionJob(
        frames,
        kernels.tables(field),
        kernels.coefficientSource(lower),
        sources,
        new HostProductSink(HostMatrices.output(gpu, solutions)),
        shape);
  }

  @Override
  public Substitution open(Gf256 field, int n, int k) {
    return CudaSubstitution.open(kernels, frames, field, n, k);
  }
}
