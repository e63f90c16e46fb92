package io.fieldstone.cuda.coding.decoding;

import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;

/**
 * Solves whole triangular systems by forward substitution, without inverses, as HPDS and its
 * baseline: kernels 1 and 2 of {@code substitution.cu}. It only enqueues work in a slot's stream.
 * Thread-safe.
 *
 * @param blockX the four-byte words of a thread block
 * @param blockY the threads per word
 */
record GenerationKernel(Function kernel, int blockX, int blockY) {

  private static final String FILE = "substitution";

  private static final int WORD = 4;

  private static final int BASELINE_WORDS = 128;

  /** The words of a thread block of HPDS, the fastest number on an H200. */
  private static final int HPDS_WORDS = 8;

  private static final int HPDS_THREADS = 1024;

  /** The maximum height of a grid in blocks. */
  private static final int MAX_GRID_Y = 65_535;

  /** Returns the baseline: a thread solves its word in all frames. */
  static GenerationKernel baseline(KernelModules modules) {
    Function kernel = modules.function(FILE, "substitution_baseline_generation");
    return new GenerationKernel(kernel, BASELINE_WORDS, 1);
  }

  /** Returns HPDS: threads divide the earlier frames, too. */
  static GenerationKernel hpds(KernelModules modules) {
    Function kernel = modules.function(FILE, "substitution_hpds_generation");
    return new GenerationKernel(kernel, HPDS_WORDS, HPDS_THREADS / HPDS_WORDS);
  }

  /**
   * Enqueues {@code solutions[g] = lower[g]⁻¹ · rights[g]}.
   *
   * @param lower n×n matrices without zeros on the diagonal
   * @param rights n×k matrices
   * @param solutions n×k matrices
   */
  void solve(
      StreamSlot slot,
      FieldTables field,
      DeviceMatrices lower,
      DeviceMatrices rights,
      DeviceMatrices solutions) {
    if (solutions.isEmpty()) {
      return;
    }
    slot.arguments()
        .int64(field.address())
        .int32(field.polynomial())
        .int32(solutions.rows())
        .int64(solutions.columns())
        .int64(solutions.count())
        .matrices(lower)
        .matrices(rights)
        .matrices(solutions);
    int gridX = Math.ceilDiv(Math.ceilDiv(solutions.columns(), WORD), blockX);
    int gridY = (int) Math.min(solutions.count(), MAX_GRID_Y);
    slot.launch(kernel, new LaunchShape(gridX, gridY, 1, blockX, blockY, 0));
  }
}
