package io.fieldstone.bench.gpu;

import io.fieldstone.bench.coding.Batch;
import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.EngineCeilings;
import io.fieldstone.bench.measure.Pace;

/** The engines, ceilings and pace that the sections of {@code bench gpu} share. */
record GpuRun(BenchEngines engines, EngineCeilings ceilings, Pace pace) {

  /** Divisor of the data in a quick run, which changes only the second digit of a rate. */
  private static final int QUICK_DIVISOR = 4;

  /** Makes a shape with m = n, whose sources have about {@code bytes} bytes. */
  Batch batch(int n, int k, long bytes) {
    int blocks = Math.max(1, n / pace.shrink());
    long share = bytes / pace.shrink() / (pace.allShapes() ? 1 : QUICK_DIVISOR);
    return Batch.square(blocks, k, share, Long.MAX_VALUE);
  }
}
