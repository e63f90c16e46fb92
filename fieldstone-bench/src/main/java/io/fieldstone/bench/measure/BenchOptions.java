package io.fieldstone.bench.measure;

import io.fieldstone.bench.report.ReportListener;
import io.fieldstone.engine.EngineOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Options of a benchmark.
 *
 * @param engine the engine to compare with others, as {@link io.fieldstone.engine.Engine#open}
 *     names it. {@code auto} selects {@code cpu} and the first GPU. An engine of the cores is
 *     measured without a GPU; any other engine is compared with {@code cpu}.
 * @param threads the maximum number of threads, at least 1; one thread is measured too
 * @param pace time that the benchmark may take
 * @param section the only section to run, of a benchmark that has named ones; all if empty
 * @param bytes the size of the file that {@code files} or {@code net} measures; its usual size if
 *     empty
 * @param folder the existing folder in which {@code files} makes its files
 * @param launcher the script that starts the command; without it, no whole commands are measured
 * @param stepListener receives the progress
 * @param reportListener receives each part of the report
 */
public record BenchOptions(
    String engine,
    int threads,
    Pace pace,
    Optional<String> section,
    OptionalLong bytes,
    Path folder,
    Optional<Path> launcher,
    StepListener stepListener,
    ReportListener reportListener) {

  /** The best engine, all processors, at full pace. */
  public static final BenchOptions DEFAULT =
      new BenchOptions(
          "auto",
          EngineOptions.DEFAULT.threads(),
          Pace.FULL,
          Optional.empty(),
          OptionalLong.empty(),
          Path.of(System.getProperty("java.io.tmpdir")),
          Optional.empty(),
          StepListener.NONE,
          ReportListener.NONE);

  public BenchOptions {
    if (threads < 1) {
      throw new IllegalArgumentException("threads " + threads + " is less than 1");
    }
  }

  /** Returns the sections to run of those of a benchmark: all, or the one that was chosen. */
  public List<String> chosen(List<String> sections) {
    return sections.stream().filter(name -> section.map(name::equals).orElse(true)).toList();
  }

  /** Returns the same options at another pace. */
  public BenchOptions withPace(Pace other) {
    return new BenchOptions(
        engine, threads, other, section, bytes, folder, launcher, stepListener, reportListener);
  }

  /** Returns the same options with a single section. */
  public BenchOptions withSection(String name) {
    return new BenchOptions(
        engine,
        threads,
        pace,
        Optional.of(name),
        bytes,
        folder,
        launcher,
        stepListener,
        reportListener);
  }

  /** Returns the same options with another engine. */
  public BenchOptions withEngine(String other) {
    return new BenchOptions(
        other, threads, pace, section, bytes, folder, launcher, stepListener, reportListener);
  }

  /** Returns the same options with another number of threads. */
  public BenchOptions withThreads(int other) {
    return new BenchOptions(
        engine, other, pace, section, bytes, folder, launcher, stepListener, reportListener);
  }

  /** Returns the same options with another listener of progress. */
  public BenchOptions withStepListener(StepListener other) {
    return new BenchOptions(
        engine, threads, pace, section, bytes, folder, launcher, other, reportListener);
  }

  /** Returns the same options with another listener of results. */
  public BenchOptions withReportListener(ReportListener other) {
    return new BenchOptions(
        engine, threads, pace, section, bytes, folder, launcher, stepListener, other);
  }

  /** Returns the same options for a file of another size. */
  public BenchOptions withBytes(long other) {
    return new BenchOptions(
        engine,
        threads,
        pace,
        section,
        OptionalLong.of(other),
        folder,
        launcher,
        stepListener,
        reportListener);
  }

  /** Returns the same options with files in another folder. */
  public BenchOptions withFolder(Path other) {
    return new BenchOptions(
        engine, threads, pace, section, bytes, other, launcher, stepListener, reportListener);
  }

  /** Returns the same options with measurements of whole commands. */
  public BenchOptions withLauncher(Path other) {
    return new BenchOptions(
        engine,
        threads,
        pace,
        section,
        bytes,
        folder,
        Optional.of(other),
        stepListener,
        reportListener);
  }
}
