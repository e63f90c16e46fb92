package io.fieldstone.cuda;

import io.fieldstone.engine.ByteMatrices;
import io.fieldstone.engine.ResidentBlocks;
import io.fieldstone.engine.Substitution;
import io.fieldstone.engine.Substitutions;
import io.fieldstone.engine.TriangularSystems;
import io.fieldstone.field.Gf256;

/**
 * Lower-triangular systems on the GPU without an inverse, frame after frame: HPDS and its baseline.
 */
final class DirectSubstitutions implements Substitutions {

  private final Gpu gpu;
  private final Kernels kernels;
  private final GenerationKernel generations;
  private final FrameKernel frames;

  DirectSubstitutions(Kernels kernels, GenerationKernel generations, FrameKernel frames) {
    this.gpu = kernels.gpu();
    this.kernels = kernels;
    this.generations = generations;
    this.frames = frames;
  }

  @Override
  public void solve(Gf256 field, ByteMatrices lower, ByteMatrices rights, ByteMatrices solutions) {
    TriangularSystems.requireSolvable(lower, rights, solutions);
    gpu.call(
        () -> "solve %s triangles for %s".formatted(lower.shape(), rights.shape()),
        () -> {
          ProductKernel rows = kernels.rows(kernels.tables(field));
          Sources sources = new HostSources(HostOperand.input(gpu, rights), rows);
          gpu.run(job(field, lower, sources, solutions));
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
                  gpu.run(
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

  private Job job(Gf256 field, ByteMatrices lower, Sources sources, ByteMatrices solutions) {
    JobShape shape =
        new JobShape(
            solutions.count(),
            solutions.rows(),
            sources.blocks(),
            solutions.columns(),
            Crossing.BOTH_WAYS);
    return new SubstitutionJob(
        generations,
        kernels.tables(field),
        kernels.factors(lower),
        sources,
        new HostDestination(HostOperand.output(gpu, solutions)),
        shape);
  }

  @Override
  public Substitution begin(Gf256 field, int n, int k) {
    return CudaSubstitution.begin(kernels, frames, field, n, k);
  }
}
