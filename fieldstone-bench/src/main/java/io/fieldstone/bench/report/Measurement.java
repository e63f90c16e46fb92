package io.fieldstone.bench.report;

/**
 * The measured times of one candidate.
 *
 * @param name of the candidate
 * @param work units of work of one run
 * @param samples number of samples taken
 * @param bestNanos shortest time of one run, averaged within its sample
 * @param medianNanos median over the samples of the time of one run
 */
public record Measurement(
    String name, double work, int samples, double bestNanos, double medianNanos) {

  /** Millions per second in one per nanosecond. */
  private static final double MILLIONS = 1e3;

  /**
   * Returns units of work per nanosecond in the best sample: G GF-MAC/s if the unit is the GF-MAC.
   */
  public double bestRate() {
    return work / bestNanos;
  }

  /** Returns units of work per nanosecond in the median sample. */
  public double medianRate() {
    return work / medianNanos;
  }

  /**
   * Returns millions of units of work per second in the best sample: MB/s if the unit is the byte.
   */
  public double bestMillions() {
    return bestRate() * MILLIONS;
  }

  /** Returns millions of units of work per second in the median sample. */
  public double medianMillions() {
    return medianRate() * MILLIONS;
  }

  /** Returns the shortest time of a run in milliseconds. */
  public double bestMillis() {
    return bestNanos / 1e6;
  }

  /** Returns the ratio of this rate to that of {@code other}, best sample against best sample. */
  public double timesFasterThan(Measurement other) {
    return bestRate() / other.bestRate();
  }
}
