package io.fieldstone.engine;

/**
 * The file job for which an engine is opened. {@code auto} opens a GPU only for a job that it
 * finishes sooner than the cores, its opening included.
 *
 * <p>The rates are those of whole commands in memory on 16 threads of a Xeon and on an H200, from
 * {@code docs/benchmarks/h200/files.md}. The rates of one thread are half of those on two cores in
 * {@code docs/benchmarks/files.md}.
 *
 * @param kind the kind of job
 * @param bytes the bytes of the file, ≥ 0
 */
public record Workload(Kind kind, long bytes) {

  /** A kind of job on files. */
  public enum Kind {
    /** Encoding or recoding. */
    ENCODING(118e6, 600e6, 780e6),
    /** Decoding with losses. */
    DECODING(150e6, 560e6, 690e6),
    /** Sorting. */
    SORTING(100e6, 440e6, 720e6);

    private final double threadRate;
    private final double maxCoreRate;
    private final double gpuRate;

    /**
     * Sets rates in bytes of the file per second.
     *
     * @param threadRate the rate of one of a few threads
     * @param maxCoreRate the rate of any number of threads, which share the memory
     * @param gpuRate the rate with a GPU
     */
    Kind(double threadRate, double maxCoreRate, double gpuRate) {
      this.threadRate = threadRate;
      this.maxCoreRate = maxCoreRate;
      this.gpuRate = gpuRate;
    }
  }

  /**
   * The time to open a GPU: to start the driver, make a context, load the kernels and pin memory.
   */
  private static final double GPU_OPENING_SECONDS = 0.7;

  /**
   * Checks the bytes.
   *
   * @throws IllegalArgumentException if there are less than 0
   */
  public Workload {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes " + bytes + " are less than 0");
    }
  }

  /** Returns whether that many threads are expected to finish before a GPU. */
  boolean isForCores(int threads) {
    double coreRate = Math.min(kind.maxCoreRate, threads * kind.threadRate);
    return bytes / coreRate <= GPU_OPENING_SECONDS + bytes / kind.gpuRate;
  }
}
