package io.fieldstone.cli.console;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.stream.StageProfile;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * One run of one command: the options every command shares, and what they mean.
 *
 * @param command the command that runs, for usage errors
 * @param streams where it reads and writes
 * @param engineSpec value of {@code --engine}
 * @param threads value of {@code --threads}
 * @param isQuiet {@code --quiet}
 * @param isVerbose {@code --verbose}
 * @param isJson {@code --json}
 */
public record Session(
    CommandSpec command,
    Streams streams,
    String engineSpec,
    int threads,
    boolean isQuiet,
    boolean isVerbose,
    boolean isJson) {

  /** The command that has the options that every command shares. */
  public interface Factory {

    /** Returns the options of this command line, for one of its commands. */
    Session session(CommandSpec command);
  }

  /** Returns the options that every command shares, as given on this command line. */
  public static Session of(CommandSpec command) {
    return ((Factory) command.root().userObject()).session(command);
  }

  /**
   * Opens the engine of {@code --engine}.
   *
   * @throws ParameterException if there is none of that name here
   */
  public Engine openEngine() {
    return openEngine(engineSpec);
  }

  /** Opens another engine with {@code --threads}. */
  public Engine openEngine(String spec) {
    try {
      return Engine.open(spec, new EngineOptions(threads));
    } catch (IllegalArgumentException e) {
      throw usage("--engine: " + e.getMessage());
    }
  }

  /** A usage error of this command. */
  public ParameterException usage(String message) {
    return new ParameterException(command.commandLine(), message);
  }

  /** Refuses an output on standard output where {@code --json} wants it too. */
  public void requireOneOnStandardOutput(String option, boolean isOnStandardOutput) {
    if (isOnStandardOutput && isJson) {
      throw usage("--json and " + option + " - both want standard output");
    }
  }

  /** Says on stderr, in one line, what is amiss though the command goes on. */
  public void warn(String message) {
    streams.err().println("fieldstone: " + ErrorLine.oneLine(message));
  }

  /** Prints a result: the object as JSON, or the text. Text is left out with {@code --quiet}. */
  public void print(Object result, Supplier<String> text) {
    if (isJson) {
      JsonMapper mapper = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
      streams.out().println(mapper.writeValueAsString(result));
    } else if (!isQuiet) {
      streams.out().print(text.get());
    }
  }

  /** With {@code --verbose}, says how busy each stage of a job was, on stderr. */
  public void printProfile(List<StageProfile> profile) {
    if (isVerbose) {
      for (StageProfile stage : profile) {
        streams
            .err()
            .printf(
                Locale.ROOT,
                "fieldstone: stage %-8s busy %6.2f s, %s/s%n",
                stage.name(),
                stage.busySeconds(),
                Units.bytes((long) stage.bytesPerSecond()));
      }
    }
  }

  /** Whether the choice of the engine was left to us. */
  public boolean isAutoEngine() {
    return engineSpec.equals("auto");
  }

  /** A progress bar over steps if somebody can see it. */
  public Progress.Steps steps(String task) {
    return isQuiet || isJson || !streams.progress().isTerminal()
        ? Progress.silentSteps()
        : Progress.stepBar(task, streams.err());
  }

  /** A progress bar if somebody can see it. */
  public Progress progress(String task, long totalBytes) {
    return isQuiet || isJson || !streams.progress().isTerminal()
        ? Progress.silent()
        : Progress.bar(task, totalBytes, streams.err());
  }
}
