package io.fieldstone.cli;

import io.fieldstone.bench.BenchOptions;
import io.fieldstone.bench.Benchmark;
import io.fieldstone.bench.Findings;
import io.fieldstone.bench.Fonts;
import io.fieldstone.bench.Pace;
import io.fieldstone.bench.Report;
import io.fieldstone.bench.ReportFolder;
import io.fieldstone.bench.ReportPrinter;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fieldstone bench}: the papers' tables, measured here. */
@Command(
    name = "bench",
    sortOptions = false,
    customSynopsis = "fieldstone bench WHAT [-o DIR] [OPTION]...",
    description = {
      "Measure this machine, or rerun a paper's tables on it, the paper's figures beside ours.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone bench ceilings --quick             what this machine can do at most",
      "  fieldstone bench all -o reports               everything, with charts",
    })
final class BenchCommand implements Callable<Integer> {

  private static final String ALL = "all";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "WHAT",
      completionCandidates = Names.class,
      description = "One of ${COMPLETION-CANDIDATES}.")
  private String what = ALL;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      description = "Write the report there too, as it grows: HTML, Markdown, CSV, SVG charts.")
  private Optional<Path> output = Optional.empty();

  @Option(names = "--quick", description = "Tens of seconds instead of minutes; more noise.")
  private boolean quick;

  /** The names that WHAT takes. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.concat(
              Arrays.stream(Benchmark.values()).map(Benchmark::toString), Stream.of(ALL))
          .iterator();
    }
  }

  @Override
  public Integer call() throws IOException {
    Session session = Main.session(spec);
    List<Benchmark> benchmarks =
        what.equals(ALL)
            ? List.of(Benchmark.values())
            : Benchmark.named(what).map(List::of).orElseThrow(() -> unknown(session));
    if (output.isPresent()) {
      try (Temporaries trial = new Temporaries()) {
        trial.createDirectories(output.get());
      }
    }
    if (output.isPresent() && !Fonts.arePresent()) {
      session.warn("no fonts on this machine, so reports have no charts: " + output.get());
    }
    session.openEngine().close(); // an engine that is not here is a usage error, now
    List<Report> reports = new ArrayList<>();
    for (Benchmark benchmark : benchmarks) {
      reports.add(run(session, benchmark));
    }
    if (session.isJson()) {
      session.print(new Result(reports), () -> "");
    }
    return Main.DONE;
  }

  private Report run(Session session, Benchmark benchmark) {
    Findings printer =
        session.isJson() || session.isQuiet()
            ? Findings.NONE
            : new ReportPrinter(session.streams().out());
    Optional<ReportFolder> folder = output.map(ReportFolder::new);
    Report report;
    try (Progress.Steps steps = session.steps("bench " + benchmark)) {
      Findings findings =
          (soFar, part) -> {
            steps.aside(() -> printer.found(soFar, part));
            folder.ifPresent(files -> files.found(soFar, part));
          };
      report =
          benchmark.run(
              BenchOptions.DEFAULT
                  .withEngine(session.engineSpec())
                  .withThreads(session.threads())
                  .withPace(quick ? Pace.QUICK : Pace.FULL)
                  .withProgress(steps::begin)
                  .withFindings(findings));
    }
    if (session.isVerbose()) {
      folder.stream()
          .flatMap(files -> files.written().stream())
          .forEach(file -> session.streams().err().println("wrote " + file));
    }
    return report;
  }

  private picocli.CommandLine.ParameterException unknown(Session session) {
    return session.usage(
        "no benchmark '%s'; there are: %s".formatted(what, String.join(", ", new Names())));
  }

  /** What {@code --json} prints. */
  private record Result(List<Report> reports) {}
}
