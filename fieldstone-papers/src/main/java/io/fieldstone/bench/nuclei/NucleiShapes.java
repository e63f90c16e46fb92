package io.fieldstone.bench.nuclei;

import io.fieldstone.bench.coding.Batch;
import io.fieldstone.bench.measure.Pace;
import io.fieldstone.bench.measure.Run;
import java.util.List;

/** Gives the shapes of Figs. 5 and 6. */
final class NucleiShapes {

  private static final List<Integer> SIZES = List.of(128, 256, 512, 1024, 2048, 4096, 8192, 16384);
  private static final List<Integer> FEW_SIZES = List.of(128, 2048, 16384);

  /** Source bytes of a batch of generations. */
  private static final long BATCH_BYTES = 64L << 20;

  private static final int MAX_GENERATIONS = 1024;

  private NucleiShapes() {}

  /** Returns the block sizes at a pace. */
  static List<Integer> blockSizes(Pace pace) {
    return pace.allShapes() ? SIZES : FEW_SIZES;
  }

  /** Returns the batch of generations of n blocks of k bytes. */
  static Batch batch(Run run, int n, int k) {
    return Batch.square(
        n, k, BATCH_BYTES / run.options().pace().shrink(), run.blocks(MAX_GENERATIONS));
  }
}
