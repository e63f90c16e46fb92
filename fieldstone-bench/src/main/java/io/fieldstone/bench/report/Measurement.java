package io.fieldstone.bench.report;

/**
 * What was measured of one candidate.
 *
 * @param name the candidate's
 * @param work units of work of one run
 * @param samples how many samples were taken
 * @param bestNanos shortest time of one run, averaged within its sample
 * @param medianNanos median over the samples of the time of one run
 */
public record Measurement(
    String name, double work, int samples, double bestNanos, double medianNanos) {

  /** Millions a second that one a nanosecond is. */
  private static final double MILLIONS = 1e3;

  /** Units of work a nanosecond in the best sample: G GF-MAC/s where the unit is the GF-MAC. */
  public double bestRate() {
    return work / bestNanos;
  }

  /** Units of work a nanosecond in the median sample. */
  public double medianRate() {
    return work / medianNanos;
  }

  /** Millions of units of work a second in the best sample: MB/s where the unit is the byte. */
  public double bestMillions() {
    return bestRate() * MILLIONS;
  }

  /** Millions of units of work a second in the median sample. */
  public double medianMillions() {
    return medianRate() * MILLIONS;
  }

  /** Shortest time of a run in milliseconds. */
  public double bestMillis() {
    return bestNanos / 1e6;
  }

  /** How many times faster than {@code other} this is in work a second, best against best. */
  public double timesFasterThan(Measurement other) {
    return bestRate() / other.bestRate();
  }
}
