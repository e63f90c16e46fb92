package io.fieldstone.bench.measure;

import io.fieldstone.bench.report.Machine;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** One run of a benchmark: measures, tells of its progress, and keeps what was measured. */
public final class Run {

  private static final double NS_PER_SECOND = 1e9;

  private final BenchOptions options;
  private final Heading heading;
  private final Machine machine = Machine.here();
  private final Stopwatch stopwatch;
  private final Stopwatch briefStopwatch;
  private final int steps;
  private final List<Measurement> measurements = new ArrayList<>();
  private final List<Part> parts = new ArrayList<>();
  private int done;

  /**
   * @param steps how many comparisons there will be
   */
  public Run(BenchOptions options, Heading heading, int steps) {
    this.options = options;
    this.heading = heading;
    this.stopwatch = new Stopwatch(options.pace());
    this.briefStopwatch = new Stopwatch(options.pace().brief());
    this.steps = steps;
  }

  public BenchOptions options() {
    return options;
  }

  /** The pace of {@link #compareBriefly}. */
  public Pace briefPace() {
    return briefStopwatch.pace();
  }

  /** {@code n} blocks, or fewer where the benchmark itself is being tested. */
  public int blocks(int n) {
    return Math.max(1, n / options.pace().shrink());
  }

  /** Measures candidates against each other, at full length; the result is in their order. */
  public List<Measurement> measure(String what, List<Candidate> candidates) {
    return measure(stopwatch, what, candidates);
  }

  /** Measures candidates against each other, at full length. */
  public Results compare(String what, List<Candidate> candidates) {
    return new Results(measure(stopwatch, what, candidates));
  }

  /**
   * Measures candidates against each other, at full length.
   *
   * @param loader makes the candidates; the closer closes what they need once they are measured
   */
  public Results compare(String what, Function<Closer, List<Candidate>> loader) {
    try (Closer loads = new Closer()) {
      return compare(what, loader.apply(loads));
    }
  }

  /**
   * As {@link #compareBriefly(String, List)}, with candidates as {@link #compare(String,
   * Function)}.
   */
  public Results compareBriefly(String what, Function<Closer, List<Candidate>> loader) {
    try (Closer loads = new Closer()) {
      return compareBriefly(what, loader.apply(loads));
    }
  }

  /** Measures candidates against each other, for a moment each: one shape of many. */
  public Results compareBriefly(String what, List<Candidate> candidates) {
    return new Results(measure(briefStopwatch, what, candidates));
  }

  /** Tells of the next step, for what is measured without candidates. */
  public void beginStep(String what) {
    options.stepListener().stepBegins(what, done, Math.max(steps, done + 1));
    done++;
  }

  /** Keeps what was measured once. */
  public void record(String what, double work, double seconds) {
    double nanos = seconds * NS_PER_SECOND;
    measurements.add(new Measurement(what, work, 1, nanos, nanos));
  }

  private List<Measurement> measure(Stopwatch stopwatch, String what, List<Candidate> candidates) {
    beginStep(what);
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
  public void publish(Part part) {
    parts.add(part);
    options.reportListener().partAdded(report(), part);
  }

  /** The report of the parts so far, in the order in which they were found. */
  public Report report() {
    List<String> paragraphs = new ArrayList<>(heading.introduction());
    if (options.pace().shrink() > 1) {
      paragraphs.add(
          "A trial run: every number of blocks was divided by %d, so no figure is what it says."
              .formatted(options.pace().shrink()));
    }
    String quick = options.pace().allShapes() ? "" : " --quick";
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
