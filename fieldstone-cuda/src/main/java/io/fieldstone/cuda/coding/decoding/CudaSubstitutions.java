package io.fieldstone.cuda.coding.decoding;

import io.fieldstone.cuda.coding.BatchShape;
import io.fieldstone.cuda.coding.CudaProductKernel;
import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.coding.HostProductSink;
import io.fieldstone.cuda.coding.HostSourceBlocks;
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
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Solves lower-triangular systems on the GPU: inverts the coefficients, which do not depend on the
 * frames, and computes all frames in one product. A system that receives one frame at a time is
 * solved by substitution.
 */
final class CudaSubstitutions implements Substitutions {

  private final Gpu gpu;
  private final ProductKernels kernels;
  private final TriangleKernel triangles;
  private final ProductKernelChoice choice;
  private final FrameKernel frames;

  CudaSubstitutions(ProductKernels kernels, ProductKernelChoice choice, FrameKernel frames) {
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
                      new HostSourceBlocks(sources, kernel),
                      results));
          return solutions;
        },
        lower.data(),
        rights.data(),
        solutions.data());
  }

  private TriangularInverses inverses(Gf256 field, ByteMatrices lower) {
    return new TriangularInverses(
        kernels.coefficientSource(lower), triangles, kernels.tables(field), Optional.empty());
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
    ByteMatrices units = units(lower, rights.rows(), rows);
    gpu.call(
        () -> "solve %s triangles for resident %s".formatted(lower.shape(), rights),
        () -> {
          HostMatrices results = HostMatrices.output(gpu, solutions);
          FieldTables tables = kernels.tables(rights.field());
          TriangularInverses inverses =
              new TriangularInverses(
                  kernels.coefficientSource(lower),
                  triangles,
                  tables,
                  Optional.of(
                      new TriangularInverses.Permutation(
                          kernels.coefficientSource(units), kernels.rowProduct(lower.rows()))));
          blocks.withSources(
              first, (kernel, sources) -> gpu.jobs().run(job(kernel, inverses, sources, results)));
          return solutions;
        },
        lower.data(),
        solutions.data());
  }

  /** Returns, for each row of a system, the unit vector of its row of the right side. */
  private static ByteMatrices units(ByteMatrices lower, int rows, int[] order) {
    byte[] units = new byte[Math.multiplyExact(order.length, rows)];
    for (int i = 0; i < order.length; i++) {
      units[i * rows + order[i]] = 1;
    }
    return ByteMatrices.packed(MemorySegment.ofArray(units), lower.count(), lower.rows(), rows);
  }

  @Override
  public Substitution open(Gf256 field, int n, int k) {
    return CudaSubstitution.open(kernels, frames, field, n, k);
  }
}
