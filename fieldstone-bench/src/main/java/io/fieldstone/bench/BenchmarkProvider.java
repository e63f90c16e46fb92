package io.fieldstone.bench;

import java.util.List;

/**
 * Provides benchmarks of {@code fieldstone bench}. A module registers its provider under {@code
 * META-INF/services}.
 */
public interface BenchmarkProvider {

  /** Returns the benchmarks, in the order in which {@code bench all} runs them. */
  List<Benchmark> benchmarks();
}
