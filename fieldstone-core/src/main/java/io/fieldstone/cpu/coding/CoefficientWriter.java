package io.fieldstone.cpu.coding;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.RandomCoefficients;

/** Writes {@link RandomCoefficients} out, with all threads where there is much to draw. */
public final class CoefficientWriter {

  /** Below this many bytes another thread's help costs more than it gives. */
  private static final long SPLIT_THRESHOLD = 64 << 10;

  private final TaskPool workers;

  public CoefficientWriter(TaskPool workers) {
    this.workers = workers;
  }

  /** {@code target} has the shape of the draws. */
  void write(RandomCoefficients draws, ByteMatrices target) {
    long rows = draws.count() * draws.rows();
    long bytes = rows * draws.columns();
    int tasks = Math.clamp(bytes / SPLIT_THRESHOLD, 1, workers.threads());
    workers.forEach(
        tasks, task -> write(draws, target, rows * task / tasks, rows * (task + 1) / tasks));
  }

  /** Rows {@code from} … {@code to − 1}, counted through all matrices. */
  private static void write(RandomCoefficients draws, ByteMatrices target, long from, long to) {
    for (long at = from; at < to; at++) {
      long matrix = at / draws.rows();
      int row = (int) (at % draws.rows());
      RandomCoefficients.writeRow(
          draws.seed(),
          draws.domain(),
          draws.firstGeneration() + matrix,
          draws.firstIndex() + row,
          target.data(),
          target.offset(matrix, row),
          draws.columns());
    }
  }
}
