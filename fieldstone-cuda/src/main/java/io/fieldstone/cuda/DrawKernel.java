package io.fieldstone.cuda;

import io.fieldstone.engine.UniformDraws;

/** Draws coefficients on the GPU: {@code draws.cu}. */
final class DrawKernel {

  private static final int PHILOX_BYTES = 16;

  private final GridKernel drawUniform;

  DrawKernel(KernelModules modules) {
    drawUniform = modules.kernel("draws", "draw_uniform", 256, 0, 1);
  }

  /** Asks for draws to be written to matrices of their shape. */
  void draw(Lane lane, UniformDraws draws, DeviceMatrices target) {
    lane.arguments()
        .matrices(target)
        .int64(draws.seed())
        .int64(draws.firstGeneration())
        .int64(draws.firstIndex())
        .int64(draws.count())
        .int32(draws.rows())
        .int32(draws.columns())
        .int32(draws.domain())
        .int32(0);
    long blocks = Math.ceilDiv(draws.columns(), PHILOX_BYTES);
    drawUniform.launchThreads(lane, draws.count() * draws.rows() * blocks);
  }
}
