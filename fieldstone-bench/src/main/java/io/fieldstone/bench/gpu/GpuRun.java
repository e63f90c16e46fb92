package io.fieldstone.bench.gpu;

import io.fieldstone.bench.coding.Batch;
import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.EngineCeilings;
import io.fieldstone.bench.measure.Pace;

/** What the sections of {@code bench gpu} share. */
record GpuRun(BenchEngines engines, EngineCeilings ceilings, Pace pace) {

  /** Nothing is less true on a quarter of the data but the second digit. */
  private static final int QUICK_SHARE = 4;

  /**
   * As many coded as source blocks, of so many generations that the source has about {@code bytes}.
   */
  Batch batch(int n, int k, long bytes) {
    int blocks = Math.max(1, n / pace.shrink());
    long share = bytes / pace.shrink() / (pace.allShapes() ? 1 : QUICK_SHARE);
    return Batch.square(blocks, k, share, Long.MAX_VALUE);
  }
}
