package io.fieldstone.cli.console;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.Workload;
import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.stream.StageProfile;
import io.fieldstone.stream.file.Printable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * One run of a command: its streams and the common options.
 *
 * @param command the running command, for usage errors
 * @param streams the standard streams
 * @param engineSpec the value of {@code --engine}
 * @param threads the value of {@code --threads}
 * @param isQuiet whether {@code --quiet} is given
 * @param isVerbose whether {@code --verbose} is given
 * @param json the output of {@code --json}, if it is given
 * @param phases receives the phases of jobs on files
 */
public record Session(
    CommandSpec command,
    Streams streams,
    String engineSpec,
    int threads,
    boolean isQuiet,
    boolean isVerbose,
    Optional<JsonOutput> json,
    PhaseListener phases) {

  /** A redundancy beyond it is unusual, as a fraction of the data. */
  private static final double MAX_USUAL_REDUNDANCY = 2;

  /** The root command, which declares the common options. */
  public interface Factory {

    /** Makes the session of a subcommand. */
    Session session(CommandSpec command);
  }

  /** Makes the session of a command from the common options of its command line. */
  public static Session of(CommandSpec command) {
    return ((Factory) command.root().userObject()).session(command);
  }

  /**
   * Parses the value of an option, if it is given.
   *
   * @param parser throws IllegalArgumentException if the text is malformed
   * @throws ParameterException if it does
   */
  public <T> Optional<T> parsed(String option, @Nullable String text, Function<String, T> parser) {
    try {
      return Optional.ofNullable(text).map(parser);
    } catch (IllegalArgumentException e) {
      throw usage(option + ": " + e.getMessage());
    }
  }

  /**
   * Opens the engine of {@code --engine}.
   *
   * @throws ParameterException if that engine is not available
   */
  public Engine openEngine() {
    return openEngine(engineSpec);
  }

  /**
   * Opens the engine of {@code --engine} for a job on a file; {@code auto} chooses by the job.
   *
   * @throws ParameterException if that engine is not available
   */
  public Engine openEngine(Workload job) {
    return openEngine(engineSpec, new EngineOptions(threads).forWorkload(job));
  }

  /** Opens an engine by its specification, with {@code --threads}. */
  public Engine openEngine(String spec) {
    return openEngine(spec, new EngineOptions(threads));
  }

  /** Opens the cores if the engine is selected automatically, else that of {@code --engine}. */
  public Engine openCores() {
    return openEngine(isAutoEngine() ? "cpu" : engineSpec);
  }

  private Engine openEngine(String spec, EngineOptions options) {
    try {
      return Engine.open(spec, options);
    } catch (IllegalArgumentException e) {
      throw usage("--engine: " + e.getMessage());
    }
  }

  /** Returns a usage error of this command. */
  public ParameterException usage(String message) {
    return new ParameterException(command.commandLine(), message);
  }

  /** Tests whether {@code --json} is given. */
  public boolean isJson() {
    return json.isPresent();
  }

  /** Checks that {@code --json} and an output do not both use standard output. */
  public void requireOneOnStandardOutput(String option, boolean isOnStandardOutput) {
    if (isOnStandardOutput && isJson()) {
      throw usage("--json and " + option + " - both write to standard output");
    }
  }

  /** Prints a warning to standard error, on one line. */
  public void warn(String message) {
    streams.err().println(ErrorLine.warning(message));
  }

  /**
   * Warns of a redundancy that was probably meant in percent.
   *
   * @param redundancy a fraction of the data
   */
  public void warnOfRedundancy(double redundancy) {
    if (redundancy > MAX_USUAL_REDUNDANCY) {
      String number = Units.plain(redundancy);
      warn(
          "--redundancy %s adds %s times the size of the data; for percent, write %s%%"
              .formatted(number, number, number));
    }
  }

  /** Prints to standard error what a command does, on one line, unless {@code --quiet} is given. */
  public void inform(String message) {
    if (!isQuiet) {
      streams.err().println(ErrorLine.oneLine(message));
    }
  }

  /**
   * Prints the summary of a job: with {@code --json} the object, when the exit status is known;
   * else the text, unless {@code --quiet} is given.
   */
  public void print(Object result, Supplier<String> text) {
    printResult(result, isQuiet ? () -> "" : text);
  }

  /**
   * Prints what a command is asked for: as {@link #print}, but with {@code --quiet} too. Characters
   * that a terminal obeys are escaped; a name is to be a {@link Printable#line}.
   */
  public void printResult(Object result, Supplier<String> text) {
    json.ifPresent(output -> output.set(result));
    if (!isJson()) {
      streams.out().print(Printable.lines(text.get()));
    }
  }

  /**
   * Forces the printed result to disk if standard output is a file.
   *
   * @throws Failure if standard output is full or closed
   */
  public void forceOut() throws Failure {
    json.ifPresent(JsonOutput::write);
    streams.forceOut();
  }

  /**
   * Prints the busy time of each stage of a job to standard error if {@code --verbose} is given.
   */
  public void printProfile(List<StageProfile> profile) {
    if (isVerbose) {
      for (StageProfile stage : profile) {
        streams
            .err()
            .printf(
                Locale.ROOT,
                "stage %-8s busy %6.2f s, %s/s%n",
                stage.name(),
                stage.busySeconds(),
                Units.bytes((long) stage.bytesPerSecond()));
      }
    }
  }

  /** Tests whether the engine is selected automatically. */
  public boolean isAutoEngine() {
    return engineSpec.equals("auto");
  }

  /** Returns a progress bar over steps; it is silent if standard error is not a terminal. */
  public Progress.Steps steps(String task) {
    return isQuiet || isJson() || !streams.progress().isTerminal()
        ? Progress.silentSteps()
        : Progress.stepBar(task, streams.err());
  }

  /** Returns a progress bar; it is silent if standard error is not a terminal. */
  public Progress progress(String task, long totalBytes) {
    return isQuiet || isJson() || !streams.progress().isTerminal()
        ? Progress.silent()
        : Progress.bar(task, totalBytes, streams.err());
  }
}
