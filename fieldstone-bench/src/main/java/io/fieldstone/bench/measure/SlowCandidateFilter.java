package io.fieldstone.bench.measure;

import io.fieldstone.bench.report.Measurement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Leaves out what would take long. How long follows from its rate at the size before, which is
 * about the same at the next.
 */
public final class SlowCandidateFilter {

  private static final double NS_PER_SECOND = 1e9;

  private final double maxSeconds;
  private final Map<String, Double> rates = new HashMap<>();

  /**
   * Knows no rates.
   *
   * @param longestSeconds that one run may take
   */
  public SlowCandidateFilter(double longestSeconds) {
    this.maxSeconds = longestSeconds;
  }

  /** Whether so much work takes no longer than it may, as far as is known. */
  public boolean allows(String name, double work) {
    double rate = rates.getOrDefault(name, Double.POSITIVE_INFINITY);
    return work / rate < maxSeconds * NS_PER_SECOND;
  }

  /** Takes note of what was measured; what was left out keeps its rate. */
  public void learn(List<String> names, Results results) {
    names.forEach(
        name -> results.of(name, Measurement::medianRate).ifPresent(rate -> rates.put(name, rate)));
  }
}
