package io.fieldstone.bench;

import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.report.Report;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/**
 * A benchmark of {@code fieldstone bench}, from a {@link BenchmarkProvider}.
 *
 * @param name its name on the command line
 * @param description describes it in one line
 * @param sectionNames returns the names of the sections that can run alone
 * @param body measures and reports
 */
public record Benchmark(
    String name, String description, Supplier<List<String>> sectionNames, Body body) {

  /** The name of the benchmark of files and whole commands. */
  public static final String FILES = "files";

  /** The name of the benchmark of files over networks. */
  public static final String NET = "net";

  /** Measures and reports. */
  public interface Body {
    /** Runs as {@link Benchmark#run} does. */
    Report run(BenchOptions options);
  }

  /** Describes a benchmark without sections. */
  public Benchmark(String name, String description, Body body) {
    this(name, description, List::of, body);
  }

  /** Returns the benchmarks of this module, then those of others on the class path. */
  public static List<Benchmark> all() {
    return ServiceLoader.load(BenchmarkProvider.class, Benchmark.class.getClassLoader()).stream()
        .flatMap(provider -> provider.get().benchmarks().stream())
        .toList();
  }

  /** Finds a benchmark by its name on the command line. */
  public static Optional<Benchmark> named(String name) {
    return all().stream().filter(one -> one.name.equals(name)).findFirst();
  }

  /** Returns the names of the sections that can run alone; empty if there are none. */
  public List<String> sections() {
    return sectionNames.get();
  }

  /**
   * Runs the benchmark at the pace of {@link BenchOptions#pace}.
   *
   * @throws IllegalArgumentException if the options name an engine that is missing
   * @throws IllegalStateException if an engine gives a wrong result, or the thread is interrupted
   */
  public Report run(BenchOptions options) {
    return body.run(options);
  }

  /** Returns the name of the benchmark on the command line. */
  @Override
  public String toString() {
    return name;
  }
}
