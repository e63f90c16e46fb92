package io.fieldstone.engine;

/**
 * The field arithmetic of a job on a file, for which {@code auto} opens a GPU or not.
 *
 * <p>Reading, hashing, copying and writing stay with the cores. So a GPU saves only the arithmetic,
 * and {@code auto} opens it if that takes the cores longer than the opening. The time of opening is
 * from {@code docs/benchmarks/h200/files.md}, the rate of the cores from {@code
 * docs/benchmarks/cpu.md}.
 *
 * @param multiplyAccumulates the multiply-accumulate operations in GF(2^8), ≥ 0
 */
public record Workload(double multiplyAccumulates) {

  /** The multiply-accumulates per second of one thread with native kernels, from memory. */
  private static final double THREAD_RATE = 120e9;

  /** The time to start the driver, make a context, load kernels and pin memory. */
  private static final double GPU_OPENING_SECONDS = 0.4;

  /**
   * Checks the operations.
   *
   * @throws IllegalArgumentException if there are less than 0
   */
  public Workload {
    if (!(multiplyAccumulates >= 0)) {
      throw new IllegalArgumentException(
          "multiply-accumulates " + multiplyAccumulates + " are less than 0");
    }
  }

  /**
   * Returns the work of computing coded blocks.
   *
   * @param bytes the bytes of the file; less than 0 if unknown, which counts as 1 GiB
   * @param computedBlocks the blocks that are computed from each generation
   */
  public static Workload ofBlocks(long bytes, double computedBlocks) {
    return new Workload((bytes < 0 ? 1L << 30 : bytes) * computedBlocks);
  }

  /** Returns whether that many threads are expected to finish before a GPU. */
  boolean isForCores(int threads) {
    return multiplyAccumulates / (threads * THREAD_RATE) <= GPU_OPENING_SECONDS;
  }
}
