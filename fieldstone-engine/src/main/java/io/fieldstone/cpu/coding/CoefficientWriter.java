package io.fieldstone.cpu.coding;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.RandomCoefficients;

/** Writes {@link RandomCoefficients} to memory, in parallel if there are many. */
public final class CoefficientWriter {

  /** Minimum bytes for a second thread to pay off. */
  private static final long SPLIT_THRESHOLD = 64 << 10;

  private final TaskPool workers;

  public CoefficientWriter(TaskPool workers) {
    this.workers = workers;
  }

  /** Writes all coefficients to {@code target}, which has their shape. */
  void write(RandomCoefficients draws, ByteMatrices target) {
    long rows = draws.count() * draws.rows();
    long bytes = rows * draws.columns();
    int tasks = Math.clamp(bytes / SPLIT_THRESHOLD, 1, workers.threads());
    workers.forEach(
        tasks, task -> write(draws, target, rows * task / tasks, rows * (task + 1) / tasks));
  }

  /** Writes rows {@code from} … {@code to − 1}, numbered through all matrices. */
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
