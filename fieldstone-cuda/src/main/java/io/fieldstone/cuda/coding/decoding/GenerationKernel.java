package io.fieldstone.cuda.coding.decoding;

import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;

/**
 * Solves whole triangular systems by substitution, without an inverse, as HPDS and its baseline do:
 * 1 and 2 of {@code substitution.cu}. It only asks for work in a lane's stream. Thread-safe.
 *
 * @param blockX words of four bytes that a block of threads has
 * @param blockY threads that share a word
 */
record GenerationKernel(Function kernel, int blockX, int blockY) {

  private static final String FILE = "substitution";

  private static final int WORD = 4;

  private static final int BASELINE_WORDS = 128;

  /** The fastest on an H200. */
  private static final int HPDS_WORDS = 8;

  private static final int HPDS_THREADS = 1024;

  /** Blocks that a grid may have down. */
  private static final int MAX_GRID_Y = 65_535;

  /** A thread takes its word through all frames. */
  static GenerationKernel baseline(KernelModules modules) {
    Function kernel = modules.function(FILE, "substitution_baseline_generation");
    return new GenerationKernel(kernel, BASELINE_WORDS, 1);
  }

  /** Threads share the earlier frames, too. */
  static GenerationKernel hpds(KernelModules modules) {
    Function kernel = modules.function(FILE, "substitution_hpds_generation");
    return new GenerationKernel(kernel, HPDS_WORDS, HPDS_THREADS / HPDS_WORDS);
  }

  /**
   * Asks for {@code solutions[g] = lower[g]⁻¹ · rights[g]}.
   *
   * @param lower n×n each, no zero on a diagonal
   * @param rights n×k each
   * @param solutions of that shape
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
    int across = Math.ceilDiv(Math.ceilDiv(solutions.columns(), WORD), blockX);
    int down = (int) Math.min(solutions.count(), MAX_GRID_Y);
    slot.launch(kernel, new LaunchShape(across, down, 1, blockX, blockY, 0));
  }
}
