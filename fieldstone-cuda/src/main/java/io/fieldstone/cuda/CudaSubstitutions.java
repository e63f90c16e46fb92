package io.fieldstone.cuda;

import io.fieldstone.engine.ByteMatrices;
import io.fieldstone.engine.ResidentBlocks;
import io.fieldstone.engine.Substitution;
import io.fieldstone.engine.Substitutions;
import io.fieldstone.engine.TriangularSystems;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Lower-triangular systems on the GPU: the coefficients are inverted, which does not depend on the
 * frames, and all frames come from one product. A system that arrives frame by frame is
 * substituted.
 */
final class CudaSubstitutions implements Substitutions {

  private final Gpu gpu;
  private final Kernels kernels;
  private final TriangleKernel triangles;
  private final KernelChoice choice;
  private final FrameKernel frames;

  CudaSubstitutions(Kernels kernels, KernelChoice choice, FrameKernel frames) {
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
          HostOperand from = HostOperand.input(gpu, rights);
          HostOperand to = HostOperand.output(gpu, solutions);
          int n = lower.rows();
          ProductKernel kernel = choice.forProducts(kernels.tables(field), n, n);
          gpu.run(job(kernel, inverses(field, lower), new HostSources(from, kernel), to));
          return solutions;
        },
        lower.data(),
        rights.data(),
        solutions.data());
  }

  private TriangularInverses inverses(Gf256 field, ByteMatrices lower) {
    return new TriangularInverses(
        kernels.factors(lower), triangles, kernels.tables(field), Optional.empty());
  }

  private static WholeRowsJob job(
      ProductKernel kernel, TriangularInverses inverses, Sources sources, HostOperand to) {
    ByteMatrices solutions = to.matrices();
    JobShape shape =
        new JobShape(
            solutions.count(),
            solutions.rows(),
            sources.blocks(),
            solutions.columns(),
            Crossing.BOTH_WAYS);
    return new WholeRowsJob(
        new ProductJob(kernel, inverses, sources, new HostDestination(to), shape));
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
          HostOperand to = HostOperand.output(gpu, solutions);
          FieldTables tables = kernels.tables(rights.field());
          TriangularInverses inverses =
              new TriangularInverses(
                  kernels.factors(lower),
                  triangles,
                  tables,
                  Optional.of(
                      new TriangularInverses.Permutation(
                          kernels.factors(units), kernels.rowProduct(lower.rows()))));
          blocks.withSources(
              first, (kernel, sources) -> gpu.run(job(kernel, inverses, sources, to)));
          return solutions;
        },
        lower.data(),
        solutions.data());
  }

  /** For each row of a system the unit vector of its row of the right side. */
  private static ByteMatrices units(ByteMatrices lower, int rows, int[] order) {
    byte[] units = new byte[Math.multiplyExact(order.length, rows)];
    for (int i = 0; i < order.length; i++) {
      units[i * rows + order[i]] = 1;
    }
    return ByteMatrices.packed(MemorySegment.ofArray(units), lower.count(), lower.rows(), rows);
  }

  @Override
  public Substitution begin(Gf256 field, int n, int k) {
    return CudaSubstitution.begin(kernels, frames, field, n, k);
  }
}
