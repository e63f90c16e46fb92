package io.fieldstone.spark.app;

import io.fieldstone.spark.ExecutorEngine;
import io.fieldstone.spark.storage.Splits;
import io.fieldstone.stream.file.Printable;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.spark.api.java.JavaSparkContext;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that runs a job, with the options of all jobs. */
abstract class JobCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--engine",
      paramLabel = "SPEC",
      description =
          "Compute engine of the tasks: auto (the default), which is the GPU that Spark has"
              + " assigned, else the cores; or another that 'fieldstone devices' lists.")
  private String engine = ExecutorEngine.AUTO;

  @Option(
      names = "--split",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "Bytes of a task (default: 64MiB).")
  private long split = Splits.DEFAULT_BYTES;

  @Option(names = "--json", description = "Print the result, or the failure, as one JSON object.")
  private boolean isJson;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no summary.")
  private boolean isQuiet;

  @Option(
      names = {"-v", "--verbose"},
      description = "Print the log messages of Spark.")
  private boolean isVerbose;

  /** Runs the job and returns the exit code. */
  abstract int run(JavaSparkContext context) throws IOException;

  @Override
  public Integer call() throws IOException {
    if (split < 1) {
      throw usage("--split 0 is less than 1");
    }
    checkOptions();
    try (JavaSparkContext context = Main.context(spec.name(), isVerbose)) {
      return run(context);
    }
  }

  /** Reports mistakes in the options before Spark starts. */
  void checkOptions() {}

  String engine() {
    return engine;
  }

  long split() {
    return split;
  }

  ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  boolean isJson() {
    return isJson;
  }

  boolean isQuiet() {
    return isQuiet;
  }

  void println(String line) {
    spec.commandLine().getOut().println(line);
  }

  /**
   * Prints the result.
   *
   * @param object a record, for {@code --json}
   * @param text a line without {@code --json}, unless {@code --quiet} is given
   */
  int result(Object object, String text) {
    if (isJson) {
      println(JsonText.of(object));
      return ExitCode.OK;
    }
    return summary(text);
  }

  void warn(String line) {
    spec.commandLine().getErr().println("fieldstone: " + Printable.line(line));
  }

  /** Prints a line of a summary, unless {@code --quiet} is given. */
  int summary(String line) {
    if (!isQuiet) {
      println(line);
    }
    return ExitCode.OK;
  }
}
