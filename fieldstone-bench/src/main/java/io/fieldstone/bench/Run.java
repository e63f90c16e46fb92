package io.fieldstone.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** One run of a benchmark: measures, tells of its progress, and keeps what was measured. */
final class Run {

  private static final double NS_PER_SECOND = 1e9;

  private final BenchOptions options;
  private final Heading heading;
  private final Machine machine = Machine.here();
  private final Stopwatch stopwatch;
  private final Stopwatch glancing;
  private final int steps;
  private final List<Measurement> measurements = new ArrayList<>();
  private final List<Part> parts = new ArrayList<>();
  private int done;

  /**
   * @param steps how many comparisons there will be
   */
  Run(BenchOptions options, Heading heading, int steps) {
    this.options = options;
    this.heading = heading;
    this.stopwatch = new Stopwatch(options.pace());
    this.glancing = new Stopwatch(options.pace().forEachOfMany());
    this.steps = steps;
  }

  BenchOptions options() {
    return options;
  }

  /** The pace of {@link #glance}. */
  Pace glancingPace() {
    return glancing.pace();
  }

  /** {@code n} blocks, or fewer where the benchmark itself is being tested. */
  int blocks(int n) {
    return Math.max(1, n / options.pace().shrink());
  }

  /** Measures candidates against each other, at full length; the result is in their order. */
  List<Measurement> compare(String what, List<Candidate> candidates) {
    return compare(stopwatch, what, candidates);
  }

  /** Measures candidates against each other, at full length. */
  Results results(String what, List<Candidate> candidates) {
    return new Results(compare(stopwatch, what, candidates));
  }

  /**
   * Measures candidates against each other, at full length.
   *
   * @param loader makes the candidates; the closer closes what they need once they are measured
   */
  Results results(String what, Function<Closer, List<Candidate>> loader) {
    try (Closer loads = new Closer()) {
      return results(what, loader.apply(loads));
    }
  }

  /** As {@link #glance(String, List)}, with candidates as {@link #results(String, Function)}. */
  Results glance(String what, Function<Closer, List<Candidate>> loader) {
    try (Closer loads = new Closer()) {
      return glance(what, loader.apply(loads));
    }
  }

  /** Measures candidates against each other, for a moment each: one shape of many. */
  Results glance(String what, List<Candidate> candidates) {
    return new Results(compare(glancing, what, candidates));
  }

  /** Tells of the next step, for what is measured without candidates. */
  void begin(String what) {
    options.progress().begin(what, done, Math.max(steps, done + 1));
    done++;
  }

  /** Keeps what was measured once. */
  void keep(String what, double work, double seconds) {
    double nanos = seconds * NS_PER_SECOND;
    measurements.add(new Measurement(what, work, 1, nanos, nanos));
  }

  private List<Measurement> compare(Stopwatch stopwatch, String what, List<Candidate> candidates) {
    begin(what);
    List<Measurement> results = stopwatch.compare(candidates);
    results.stream()
        .map(one ->
            new Measurement(
                what + ": " + one.name(),
                one.work(),
                one.samples(),
                one.bestNanos(),
                one.medianNanos()))
        .forEach(measurements::add);
    return results;
  }

  /** Adds a part to the report, and tells of it at once. */
  void found(Part part) {
    parts.add(part);
    options.findings().found(report(), part);
  }

  /** The report of the parts so far, in the order in which they were found. */
  Report report() {
    List<String> paragraphs = new ArrayList<>(heading.introduction());
    if (options.pace().shrink() > 1) {
      paragraphs.add(
          "A trial run: every number of blocks was divided by %d, so no figure is what it says."
              .formatted(options.pace().shrink()));
    }
    String quick = options.pace().wholeGrid() ? "" : " --quick";
    String engine =
        options.engine().equals(BenchOptions.DEFAULT.engine())
            ? ""
            : " --engine " + options.engine();
    return new Report(
        heading.name(),
        heading.title(),
        machine,
        "fieldstone bench " + heading.name() + quick + engine + " --threads " + options.threads(),
        paragraphs,
        parts,
        measurements);
  }
}
