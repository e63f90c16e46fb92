package io.fieldstone.bench.coding;

/**
 * The shape of many products at once.
 *
 * @param count generations
 * @param m coded blocks made of each
 * @param n source blocks of each
 * @param k bytes of a block
 */
public record Batch(long count, int m, int n, int k) {

  /** As many coded as source blocks, of so many generations that these have about {@code bytes}. */
  public static Batch square(int n, int k, long bytes, long maxCount) {
    return new Batch(Math.clamp(bytes / ((long) n * k), 1, maxCount), n, n, k);
  }

  /** GF-MACs. */
  double work() {
    return (double) count * m * n * k;
  }

  /** Coded bytes. */
  public double codedBytes() {
    return (double) count * m * k;
  }

  /** Coded bytes a nanosecond, which are GB/s, at a rate in GF-MACs a nanosecond. */
  public double gigabytes(double rate) {
    return rate / n;
  }

  @Override
  public String toString() {
    return "%d × (%d, %d)".formatted(count, n, k);
  }
}
