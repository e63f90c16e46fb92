package io.fieldstone.cuda;

import io.fieldstone.engine.Basis;
import io.fieldstone.engine.ByteMatrices;
import io.fieldstone.engine.CodingPreconditions;
import io.fieldstone.engine.Coefficients;
import io.fieldstone.engine.Eliminations;
import io.fieldstone.field.Gf256;

/**
 * Inversions and square systems on the GPU, many at once. A basis, which meets one vector at a
 * time, is the processor's: what Nuclei, Sec. IV-F 1, calls decoding with the assistance of the
 * CPU.
 */
final class CudaEliminations implements Eliminations {

  private final Gpu gpu;
  private final Kernels kernels;
  private final InvertKernel invert;
  private final KernelChoice choice;
  private final Processor processor;

  /**
   * @param choice of what multiplies by inverses
   * @param processor has the bases
   */
  CudaEliminations(Kernels kernels, InvertKernel invert, KernelChoice choice, Processor processor) {
    this.gpu = kernels.gpu();
    this.kernels = kernels;
    this.invert = invert;
    this.choice = choice;
    this.processor = processor;
  }

  @Override
  public int[] invert(Gf256 field, ByteMatrices matrices, ByteMatrices inverses) {
    CodingPreconditions.requireInversion(matrices, inverses);
    int[] ranks = new int[Math.toIntExact(matrices.count())];
    gpu.call(
        () -> "invert %s matrices".formatted(matrices.shape()),
        () -> {
          Factors given = kernels.factors(matrices);
          Inverses job = new Inverses(given, invert, kernels.tables(field), ranks);
          gpu.run(new InvertJob(job, HostOperand.output(gpu, inverses)));
          return ranks;
        },
        matrices.data(),
        inverses.data());
    return ranks;
  }

  /** In one pass: coded blocks and vectors go up, source blocks come down, inverses stay there. */
  @Override
  public int[] solve(
      Gf256 field, Coefficients coefficients, ByteMatrices rights, ByteMatrices solutions) {
    CodingPreconditions.requireSystems(coefficients, rights, solutions);
    int[] ranks = new int[Math.toIntExact(coefficients.count())];
    gpu.call(
        () -> "solve %s coefficients for %s".formatted(coefficients.shape(), rights.shape()),
        () -> {
          gpu.run(solveJob(field, coefficients, rights, solutions, ranks));
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
    ProductKernel kernel = choice.forProducts(tables, n, n);
    HostSources from = new HostSources(HostOperand.input(gpu, rights), kernel);
    HostDestination to = new HostDestination(HostOperand.output(gpu, solutions));
    Inverses inverses = new Inverses(kernels.factors(coefficients), invert, tables, ranks);
    JobShape shape =
        new JobShape(solutions.count(), n, n, solutions.columns(), Crossing.BOTH_WAYS_INVERTED);
    return new SolveJob(new ProductJob(kernel, inverses, from, to, shape), inverses, to);
  }

  @Override
  public Basis basis(Gf256 field, int columns) {
    gpu.requireOpen();
    return processor.engine().eliminations().basis(field, columns);
  }
}
