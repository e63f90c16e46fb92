package io.fieldstone.bench.measure;

import io.fieldstone.bench.report.Machine;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One run of a benchmark: measures candidates, reports progress, and collects measurements and
 * parts. Not thread-safe.
 */
public final class Run {

  private static final double NS_PER_SECOND = 1e9;

  private final BenchOptions options;
  private final Heading heading;
  private final Machine machine = Machine.current();
  private final long startNanos = System.nanoTime();
  private final Stopwatch stopwatch;
  private final Stopwatch briefStopwatch;
  private final int steps;
  private final List<Measurement> measurements = new ArrayList<>();
  private final List<Part> parts = new ArrayList<>();
  private int done;

  /**
   * Starts a run.
   *
   * @param steps number of comparisons to come
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

  /** Returns the pace of {@link #compareBriefly}. */
  public Pace briefPace() {
    return briefStopwatch.pace();
  }

  /** Returns {@code n} blocks, or fewer in a test of the benchmarks. */
  public int blocks(int n) {
    return Math.max(1, n / options.pace().shrink());
  }

  /** Measures candidates against each other at full length; the result is in their order. */
  public List<Measurement> measure(String name, List<Candidate> candidates) {
    return measure(stopwatch, name, candidates);
  }

  /**
   * Measures long work or processes in rounds, without a warm-up: once each at a quick pace. The
   * result is in the order of the candidates.
   */
  public List<Measurement> measureInRounds(String name, List<Candidate> candidates) {
    Pace pace = options.pace();
    int rounds = pace.allShapes() ? pace.minSamples() : 1;
    beginStep(name);
    return recorded(name, stopwatch.compareInRounds(rounds, candidates));
  }

  /** Measures candidates against each other at full length. */
  public Results compare(String name, List<Candidate> candidates) {
    return new Results(measure(stopwatch, name, candidates));
  }

  /**
   * Measures candidates against each other at full length.
   *
   * @param loader makes the candidates; its closer closes their resources once they are measured
   */
  public Results compare(String name, Function<Closer, List<Candidate>> loader) {
    try (Closer loads = new Closer()) {
      return compare(name, loader.apply(loads));
    }
  }

  /** Measures candidates briefly; the loader is that of {@link #compare(String, Function)}. */
  public Results compareBriefly(String name, Function<Closer, List<Candidate>> loader) {
    try (Closer loads = new Closer()) {
      return compareBriefly(name, loader.apply(loads));
    }
  }

  /** Measures candidates against each other briefly: one shape of many. */
  public Results compareBriefly(String name, List<Candidate> candidates) {
    return new Results(measure(briefStopwatch, name, candidates));
  }

  /** Reports the next step of a section without comparisons. */
  public void beginStep(String name) {
    options.stepListener().stepBegins(name, done, Math.max(steps, done + 1));
    done++;
  }

  /**
   * Records a single measurement.
   *
   * @param work units of work of the run
   * @param seconds its time
   */
  public void record(String name, double work, double seconds) {
    double nanos = seconds * NS_PER_SECOND;
    measurements.add(new Measurement(name, work, 1, nanos, nanos));
  }

  private List<Measurement> measure(Stopwatch stopwatch, String name, List<Candidate> candidates) {
    beginStep(name);
    return recorded(name, stopwatch.compare(candidates));
  }

  private List<Measurement> recorded(String name, List<Measurement> results) {
    results.stream()
        .map(one ->
            new Measurement(
                name + ": " + one.name(),
                one.work(),
                one.samples(),
                one.bestNanos(),
                one.medianNanos()))
        .forEach(measurements::add);
    return results;
  }

  /** Adds a part to the report, and passes it to the listener at once. */
  public void publish(Part part) {
    parts.add(part);
    options.reportListener().partAdded(report(), part);
  }

  /** Returns the report so far, with its parts in the order of their publication. */
  public Report report() {
    List<String> paragraphs = new ArrayList<>(heading.introduction());
    if (options.pace().shrink() > 1) {
      paragraphs.add(
          "A test of the benchmark: every number of blocks was divided by %d, so the figures are not meaningful."
              .formatted(options.pace().shrink()));
    }
    String quick = options.pace().allShapes() ? "" : " --quick";
    String engine =
        options.engine().equals(BenchOptions.DEFAULT.engine())
            ? ""
            : " --engine " + options.engine();
    String bytes = options.bytes().isPresent() ? " --bytes " + options.bytes().getAsLong() : "";
    String folder =
        options.folder().equals(BenchOptions.DEFAULT.folder())
            ? ""
            : " --folder " + options.folder();
    return new Report(
        heading.name(),
        heading.title(),
        machine,
        "fieldstone bench "
            + heading.name()
            + options.section().map(name -> " --section " + name).orElse("")
            + quick
            + bytes
            + folder
            + engine
            + " --threads "
            + options.threads(),
        (System.nanoTime() - startNanos) / NS_PER_SECOND,
        paragraphs,
        parts,
        measurements);
  }
}
