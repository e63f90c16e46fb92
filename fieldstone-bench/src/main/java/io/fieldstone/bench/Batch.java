package io.fieldstone.bench;

/**
 * The shape of many products at once.
 *
 * @param count generations
 * @param m coded blocks made of each
 * @param n source blocks of each
 * @param k bytes of a block
 */
record Batch(long count, int m, int n, int k) {

  /** As many coded as source blocks, of so many generations that these have about {@code bytes}. */
  static Batch square(int n, int k, long bytes, long most) {
    return new Batch(Math.clamp(bytes / ((long) n * k), 1, most), n, n, k);
  }

  /** GF-MACs. */
  double work() {
    return (double) count * m * n * k;
  }

  /** Coded bytes. */
  double codedBytes() {
    return (double) count * m * k;
  }

  /** Coded bytes a nanosecond, which are GB/s, at a rate in GF-MACs a nanosecond. */
  double gigabytes(double rate) {
    return rate / n;
  }

  @Override
  public String toString() {
    return "%d × (%d, %d)".formatted(count, n, k);
  }
}
