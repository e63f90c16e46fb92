package io.fieldstone.cuda;

import io.fieldstone.engine.Agreement;
import io.fieldstone.engine.Basis;
import io.fieldstone.engine.ByteMatrices;
import io.fieldstone.engine.Eliminations;
import io.fieldstone.field.Gf256;

/**
 * Inversions on the GPU, many at once. A basis, which meets one vector at a time, is the
 * processor's: what Nuclei, Sec. IV-F 1, calls decoding with the assistance of the CPU.
 */
final class CudaEliminations implements Eliminations {

  private final Gpu gpu;
  private final Eliminations processor;

  /**
   * @param processor of an engine on the cores, which outlives this
   */
  CudaEliminations(Gpu gpu, Eliminations processor) {
    this.gpu = gpu;
    this.processor = processor;
  }

  @Override
  public int[] invert(Gf256 field, ByteMatrices matrices, ByteMatrices inverses) {
    Agreement.requireInversion(matrices, inverses);
    int[] ranks = new int[Math.toIntExact(matrices.count())];
    gpu.call(
        () -> "invert %s matrices".formatted(matrices.shape()),
        () -> {
          Factors given = gpu.factors(matrices);
          Inverses job = new Inverses(given, gpu.kernels().invert(), gpu.tables(field), ranks);
          gpu.run(new InvertJob(job, gpu.output(inverses)));
          return ranks;
        });
    return ranks;
  }

  @Override
  public Basis basis(Gf256 field, int columns) {
    gpu.requireOpen();
    return processor.basis(field, columns);
  }
}
