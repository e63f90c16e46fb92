package io.fieldstone.bench.measure;

import io.fieldstone.bench.report.Measurement;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Leaves out candidates that would take too long. Their time is predicted from their rate at the
 * size before, which is about the same at the next. Not thread-safe.
 */
public final class SlowCandidateFilter {

  private static final double NS_PER_SECOND = 1e9;

  private final double maxSeconds;
  private final Map<String, Double> rates = new HashMap<>();

  /**
   * Starts without rates, and so allows every candidate.
   *
   * @param maxSeconds longest time of one run
   */
  public SlowCandidateFilter(double maxSeconds) {
    this.maxSeconds = maxSeconds;
  }

  /**
   * Tests whether a candidate is predicted to finish within the time limit; true for an unknown
   * candidate.
   */
  public boolean allows(String name, double work) {
    double rate = rates.getOrDefault(name, Double.POSITIVE_INFINITY);
    return work / rate < maxSeconds * NS_PER_SECOND;
  }

  /** Records the rates of a comparison; candidates that were left out keep their rates. */
  public void learn(Collection<String> names, Results results) {
    names.forEach(
        name -> results.of(name, Measurement::medianRate).ifPresent(rate -> rates.put(name, rate)));
  }
}
