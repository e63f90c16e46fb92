package io.fieldstone.bench.command;

import io.fieldstone.bench.Benchmark;
import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.Pace;
import io.fieldstone.bench.report.Report;
import io.fieldstone.bench.report.ReportFolder;
import io.fieldstone.bench.report.ReportListener;
import io.fieldstone.bench.report.ReportPrinter;
import io.fieldstone.chart.Fonts;
import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Launcher;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.engine.Spelling;
import io.fieldstone.engine.VectorApi;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Runs {@code fieldstone bench}: measures this machine and repeats the measurements of the papers.
 */
@Command(
    name = BenchCommand.NAME,
    sortOptions = false,
    customSynopsis = "fieldstone bench BENCHMARK [-o DIR] [OPTION]...",
    description = {
      "Measure this machine, or repeat a paper's measurements and print them beside its figures.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone bench ceilings --quick             the ceilings of this machine",
      "  fieldstone bench files --bytes 4GiB           commands on a file of 4 GiB",
      "  fieldstone bench all -o reports               all benchmarks, with charts",
    })
final class BenchCommand implements Callable<Integer> {

  /** The name of the command. */
  static final String NAME = "bench";

  private static final String ALL = "all";

  /** The minimum size of the file of the benchmark {@code files}. */
  private static final long MIN_BYTES = 1000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "BENCHMARK",
      completionCandidates = Names.class,
      description = "One of ${COMPLETION-CANDIDATES}.")
  private String name = ALL;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      description =
          "Write the report to DIR, updated after each section: Markdown, CSV and SVG charts.")
  private Optional<Path> output = Optional.empty();

  @Option(
      names = "--quick",
      description =
          "Finish in tens of seconds instead of minutes, with fewer shapes and noisier results.")
  private boolean quick;

  @Option(
      names = "--section",
      paramLabel = "SECTION",
      completionCandidates = Sections.class,
      description =
          "Run one section of the benchmark, if it has named ones. A wrong name lists them.")
  private Optional<String> section = Optional.empty();

  @Option(
      names = "--bytes",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description =
          "Size of the file of the benchmark 'files', or of most files of 'net', such as 1M or"
              + " 4GiB.")
  private Optional<Long> bytes = Optional.empty();

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description =
          "Folder in which the benchmark 'files' makes its files (default: the folder of temporary"
              + " files).")
  private Optional<Path> folder = Optional.empty();

  /** Lists the names of the benchmarks. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.concat(Benchmark.all().stream().map(Benchmark::name), Stream.of(ALL))
          .iterator();
    }
  }

  /** Lists the sections of all benchmarks that have some. */
  static final class Sections implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Benchmark.all().stream()
          .flatMap(each -> each.sections().stream())
          .distinct()
          .iterator();
    }
  }

  @Override
  public Integer call() throws IOException, Failure {
    // Benchmarks use the Vector API themselves.
    VectorApi.load();
    Session session = Session.of(spec);
    List<Benchmark> benchmarks =
        name.equals(ALL)
            ? Benchmark.all()
            : Benchmark.named(name).map(List::of).orElseThrow(() -> unknown(session));
    if (section.isPresent()) {
      requireSection(session, benchmarks, section.get());
    }
    requireBytes(session);
    requireFolder(session);
    if (output.isPresent()) {
      InputFiles.requireFolder(spec, output.get());
      try (Temporaries trial = new Temporaries()) {
        trial.createDirectories(output.get());
      }
    }
    if (output.isPresent() && !Fonts.arePresent()) {
      session.warn("no fonts on this machine, so reports have no charts: " + output.get());
    }
    session.openEngine().close(); // reports an unavailable engine before the first measurement
    List<Report> reports = new ArrayList<>();
    for (Benchmark benchmark : benchmarks) {
      reports.add(run(session, benchmark));
    }
    session.print(new Result(reports), () -> "");
    return ExitCode.OK;
  }

  private Report run(Session session, Benchmark benchmark) {
    ReportListener printer =
        session.isJson() || session.isQuiet()
            ? ReportListener.NONE
            : new ReportPrinter(session.streams().out());
    Optional<ReportFolder> folder = output.map(ReportFolder::new);
    Report report;
    try (Progress.Steps steps = session.steps("bench " + benchmark)) {
      ReportListener reportListener =
          (soFar, part) -> {
            steps.interleave(() -> printer.partAdded(soFar, part));
            folder.ifPresent(files -> files.partAdded(soFar, part));
          };
      BenchOptions options =
          BenchOptions.DEFAULT
              .withEngine(session.engineSpec())
              .withThreads(session.threads())
              .withPace(quick ? Pace.QUICK : Pace.FULL)
              .withStepListener(steps::begin)
              .withReportListener(reportListener);
      report = benchmark.run(withChoices(options));
    }
    if (session.isVerbose()) {
      folder.stream()
          .flatMap(files -> files.written().stream())
          .forEach(file -> session.streams().err().println("wrote " + file));
    }
    return report;
  }

  private BenchOptions withChoices(BenchOptions options) {
    BenchOptions chosen = section.map(options::withSection).orElse(options);
    chosen = bytes.map(chosen::withBytes).orElse(chosen);
    chosen = folder.map(Path::toAbsolutePath).map(chosen::withFolder).orElse(chosen);
    return Launcher.path().map(chosen::withLauncher).orElse(chosen);
  }

  private void requireBytes(Session session) {
    if (bytes.isPresent()) {
      boolean isOfFiles = name.equals(Benchmark.FILES);
      if (!isOfFiles && !name.equals(Benchmark.NET)) {
        throw session.usage(
            "--bytes needs the benchmark '%s' or '%s'".formatted(Benchmark.FILES, Benchmark.NET));
      }
      Converters.requireInRange(spec, "--bytes", bytes.get(), MIN_BYTES, Long.MAX_VALUE);
      if (isOfFiles && bytes.get() % Integer.BYTES != 0) {
        throw session.usage(
            "--bytes %d is not a multiple of %d".formatted(bytes.get(), Integer.BYTES));
      }
    }
  }

  private void requireFolder(Session session) {
    if (folder.isPresent()) {
      if (!name.equals(Benchmark.FILES)) {
        throw session.usage("--folder needs the benchmark '" + Benchmark.FILES + "'");
      }
      if (!Files.isDirectory(folder.get())) {
        throw session.usage("--folder %s: no such folder".formatted(folder.get()));
      }
    }
  }

  /** Checks that each benchmark has a section of the name. */
  private static void requireSection(Session session, List<Benchmark> benchmarks, String name) {
    for (Benchmark benchmark : benchmarks) {
      if (benchmark.sections().isEmpty()) {
        throw session.usage("--section %s: '%s' has no named sections".formatted(name, benchmark));
      }
      if (!benchmark.sections().contains(name)) {
        throw session.usage(
            "'%s' has no section '%s'; %s"
                .formatted(benchmark, name, Spelling.hint(name, benchmark.sections())));
      }
    }
  }

  private picocli.CommandLine.ParameterException unknown(Session session) {
    List<String> names = new ArrayList<>();
    new Names().forEach(names::add);
    return session.usage("no benchmark '%s'; %s".formatted(name, Spelling.hint(name, names)));
  }

  /** The result that {@code --json} prints. */
  record Result(List<Report> reports) {}
}
