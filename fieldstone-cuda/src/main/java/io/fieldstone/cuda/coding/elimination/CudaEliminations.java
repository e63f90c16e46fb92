package io.fieldstone.cuda.coding.elimination;

import io.fieldstone.cuda.coding.BatchShape;
import io.fieldstone.cuda.coding.CoefficientSource;
import io.fieldstone.cuda.coding.CudaProductKernel;
import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.coding.HostProductSink;
import io.fieldstone.cuda.coding.HostRows;
import io.fieldstone.cuda.coding.LaidOutBlocks;
import io.fieldstone.cuda.coding.ProductJob;
import io.fieldstone.cuda.coding.ProductKernelChoice;
import io.fieldstone.cuda.coding.ProductKernels;
import io.fieldstone.cuda.coding.SourceBlocks;
import io.fieldstone.cuda.execution.CpuFallback;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.TransferDirection;
import io.fieldstone.cuda.transfer.HostMatrices;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.CodingPreconditions;
import io.fieldstone.engine.coding.Coefficients;
import io.fieldstone.engine.coding.Eliminations;
import io.fieldstone.field.Gf256;

/**
 * Inverts matrices and solves square systems on the GPU, in batches. A basis, which receives one
 * vector at a time, runs on the CPU.
 */
public final class CudaEliminations implements Eliminations {

  private final Gpu gpu;
  private final ProductKernels kernels;
  private final InvertKernel invert;
  private final ProductKernelChoice choice;
  private final CpuFallback fallback;

  /**
   * @param choice selects the kernel that multiplies by inverses
   * @param fallback provides the bases
   */
  public CudaEliminations(
      ProductKernels kernels,
      InvertKernel invert,
      ProductKernelChoice choice,
      CpuFallback fallback) {
    this.gpu = kernels.gpu();
    this.kernels = kernels;
    this.invert = invert;
    this.choice = choice;
    this.fallback = fallback;
  }

  @Override
  public int[] invert(Gf256 field, ByteMatrices matrices, ByteMatrices inverses) {
    CodingPreconditions.requireInversion(matrices, inverses);
    int[] ranks = new int[Math.toIntExact(matrices.count())];
    gpu.call(
        () -> "invert %s matrices".formatted(matrices.shape()),
        () -> {
          CoefficientSource given = kernels.coefficientSource(matrices);
          Inverses job = new Inverses(given, invert, kernels.tables(field), ranks);
          gpu.jobs().run(new InvertJob(job, HostMatrices.output(gpu, inverses)));
          return ranks;
        },
        matrices.data(),
        inverses.data());
    return ranks;
  }

  /**
   * Solves in one pass: uploads coded blocks and vectors, and downloads source blocks; inverses
   * stay on the GPU.
   */
  @Override
  public int[] solve(
      Gf256 field, Coefficients coefficients, ByteMatrices rights, ByteMatrices solutions) {
    CodingPreconditions.requireSystems(coefficients, rights, solutions);
    int[] ranks = new int[Math.toIntExact(coefficients.count())];
    gpu.call(
        () -> "solve %s coefficients for %s".formatted(coefficients.shape(), rights.shape()),
        () -> {
          gpu.jobs().run(solveJob(field, coefficients, rights, solutions, ranks));
          return ranks;
        },
        coefficients.memory(),
        rights.data(),
        solutions.data());
    return ranks;
  }

  private SolveJob solveJob(
      Gf256 field,
      Coefficients coefficients,
      ByteMatrices rights,
      ByteMatrices solutions,
      int[] ranks) {
    int n = rights.rows();
    FieldTables tables = kernels.tables(field);
    CudaProductKernel kernel = choice.forProducts(tables, n, n);
    SourceBlocks sources = LaidOutBlocks.of(new HostRows(HostMatrices.input(gpu, rights)), kernel);
    HostProductSink sink = new HostProductSink(HostMatrices.output(gpu, solutions));
    Inverses inverses =
        new Inverses(kernels.coefficientSource(coefficients), invert, tables, ranks);
    BatchShape shape =
        new BatchShape(
            solutions.count(), n, n, solutions.columns(), TransferDirection.BOTH_WAYS_INVERTED);
    return new SolveJob(new ProductJob(kernel, inverses, sources, sink, shape), inverses, sink);
  }

  @Override
  public Basis basis(Gf256 field, int columns) {
    gpu.requireOpen();
    return fallback.engine().eliminations().basis(field, columns);
  }
}
