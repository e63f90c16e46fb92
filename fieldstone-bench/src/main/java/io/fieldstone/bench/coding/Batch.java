package io.fieldstone.bench.coding;

/**
 * The shape of the products of many generations in one call.
 *
 * @param count generations
 * @param m coded blocks made of each
 * @param n source blocks of each
 * @param k bytes of a block
 */
public record Batch(long count, int m, int n, int k) {

  /**
   * Makes a shape with m = n, whose sources have about {@code bytes} bytes.
   *
   * @param maxCount the maximum number of generations
   */
  public static Batch square(int n, int k, long bytes, long maxCount) {
    return new Batch(Math.clamp(bytes / ((long) n * k), 1, maxCount), n, n, k);
  }

  /** Returns the GF-MACs of the products. */
  double work() {
    return (double) count * m * n * k;
  }

  /** Returns the bytes of the coded blocks. */
  public double codedBytes() {
    return (double) count * m * k;
  }

  /** Converts a rate in GF-MACs per nanosecond to coded bytes per nanosecond, which are GB/s. */
  public double gigabytes(double rate) {
    return rate / n;
  }

  @Override
  public String toString() {
    return "%d × (%d, %d)".formatted(count, n, k);
  }
}
