package io.fieldstone.cuda.coding;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.engine.coding.RandomCoefficients;

/** Draws random coefficients on the GPU: {@code draws.cu}. */
public final class DrawKernel {

  private static final int PHILOX_BYTES = 16;

  private final GridStrideKernel drawUniform;

  public DrawKernel(KernelModules modules) {
    drawUniform = modules.kernel("draws", "draw_uniform", 256, 0, 1);
  }

  /** Enqueues draws into matrices of their shape. */
  public void draw(StreamSlot slot, RandomCoefficients draws, DeviceMatrices target) {
    slot.arguments()
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
    drawUniform.launchThreads(slot, draws.count() * draws.rows() * blocks);
  }
}
