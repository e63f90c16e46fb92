package io.fieldstone.cuda.coding.decoding;

import io.fieldstone.cuda.coding.BatchShape;
import io.fieldstone.cuda.coding.CudaProductKernel;
import io.fieldstone.cuda.coding.HostProductSink;
import io.fieldstone.cuda.coding.HostRows;
import io.fieldstone.cuda.coding.LaidOutBlocks;
import io.fieldstone.cuda.coding.ProductJob;
import io.fieldstone.cuda.coding.ProductKernelChoice;
import io.fieldstone.cuda.coding.ProductKernels;
import io.fieldstone.cuda.coding.SourceBlocks;
import io.fieldstone.cuda.coding.blocks.CudaResidentBlocks;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.TransferDirection;
import io.fieldstone.cuda.transfer.HostMatrices;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.Substitution;
import io.fieldstone.engine.coding.Substitutions;
import io.fieldstone.engine.coding.TriangularSystems;
import io.fieldstone.field.Gf256;
import java.util.stream.IntStream;

/**
 * Solves lower-triangular systems on the GPU: inverts the coefficients, which do not depend on the
 * frames, and computes all frames in one product. A system that receives one frame at a time is
 * solved by substitution.
 */
public final class CudaSubstitutions implements Substitutions {

  private final Gpu gpu;
  private final ProductKernels kernels;
  private final TriangleKernel triangles;
  private final ProductKernelChoice choice;
  private final FrameKernel frames;

  /** Creates the fastest solver. */
  public static CudaSubstitutions fastest(ProductKernels kernels, ProductKernelChoice choice) {
    return new CudaSubstitutions(
        kernels, choice, FrameKernel.BySlices.find(kernels.gpu().modules()));
  }

  private CudaSubstitutions(
      ProductKernels kernels, ProductKernelChoice choice, FrameKernel frames) {
    this.gpu = kernels.gpu();
    this.kernels = kernels;
    this.triangles = new TriangleKernel(gpu.modules(), kernels.rowProducts());
    this.choice = choice;
    this.frames = frames;
  }

  @Override
  public void solve(Gf256 field, ByteMatrices lower, ByteMatrices rights, ByteMatrices solutions) {
    TriangularSystems.requireSolvable(lower, rights, solutions);
    gpu.call(
        () -> "solve %s triangles for %s".formatted(lower.shape(), rights.shape()),
        () -> {
          HostMatrices sources = HostMatrices.input(gpu, rights);
          HostMatrices results = HostMatrices.output(gpu, solutions);
          int n = lower.rows();
          CudaProductKernel kernel = choice.forProducts(kernels.tables(field), n, n);
          gpu.jobs()
              .run(
                  job(
                      kernel,
                      inverses(field, lower),
                      LaidOutBlocks.of(new HostRows(sources), kernel),
                      results));
          return solutions;
        },
        lower.data(),
        rights.data(),
        solutions.data());
  }

  private TriangularInverses inverses(Gf256 field, ByteMatrices lower) {
    return new TriangularInverses(
        kernels.coefficientSource(lower), triangles, kernels.tables(field));
  }

  private static ProductJob job(
      CudaProductKernel kernel,
      TriangularInverses inverses,
      SourceBlocks sources,
      HostMatrices results) {
    ByteMatrices solutions = results.matrices();
    BatchShape shape =
        new BatchShape(
            solutions.count(),
            solutions.rows(),
            sources.blocks(),
            solutions.columns(),
            TransferDirection.BOTH_WAYS);
    return new ProductJob(kernel, inverses, sources, new HostProductSink(results), shape);
  }

  @Override
  public void solve(
      ByteMatrices lower, ResidentBlocks rights, long first, int[] order, ByteMatrices solutions) {
    int[] rows = TriangularSystems.requireSolvable(lower, rights, first, order, solutions);
    CudaResidentBlocks blocks = CudaResidentBlocks.on(gpu, rights);
    gpu.call(
        () -> "solve %s triangles for resident %s".formatted(lower.shape(), rights),
        () -> {
          HostMatrices results = HostMatrices.output(gpu, solutions);
          TriangularInverses inverses = inverses(rights.field(), lower);
          blocks.withSources(
              first,
              (kernel, stored) ->
                  gpu.jobs()
                      .run(job(kernel, inverses, inOrder(kernel, stored, rows, lower), results)));
          return solutions;
        },
        lower.data(),
        solutions.data());
  }

  /** Returns the rows of the right sides in the order of the frames. */
  private static SourceBlocks inOrder(
      CudaProductKernel kernel, SourceBlocks stored, int[] rows, ByteMatrices lower) {
    int n = lower.rows();
    boolean ordered = IntStream.range(0, rows.length).allMatch(i -> rows[i] == i % n);
    return ordered ? stored : LaidOutBlocks.of(new OrderedRows(kernel, stored, rows, n), kernel);
  }

  @Override
  public Substitution open(Gf256 field, int n, int k) {
    return CudaSubstitution.open(kernels, frames, field, n, k);
  }
}
