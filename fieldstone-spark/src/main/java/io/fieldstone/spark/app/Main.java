package io.fieldstone.spark.app;

import io.fieldstone.spark.JobFailedException;
import io.fieldstone.spark.Problem;
import java.io.PrintStream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The application for {@code spark-submit}. Exit codes: 0 success, 1 failure, with one line on
 * standard error, 2 usage error.
 */
@Command(
    name = "fieldstone-spark",
    sortOptions = false,
    mixinStandardHelpOptions = false,
    description = "The jobs of Fieldstone on Apache Spark.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      EncodeCommand.class,
      DecodeCommand.class,
      RepairCommand.class,
      CrcCommand.class,
      SortCommand.class,
      WeightsCommand.class
    },
    footer = {
      "",
      "Example:",
      "  spark-submit --master URL fieldstone-spark-VERSION-app.jar crc hdfs:///films -o sums",
      "",
      "Exit status:",
      "  0 success; 1 failure, with one line on stderr; 2 usage error",
    })
public final class Main implements Runnable {

  @Spec private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

  @SuppressWarnings("UnusedVariable") // picocli reads the annotation
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  private boolean help;

  /** Runs a command and exits with its status. */
  public static void main(String[] args) {
    System.exit(run(System.out, System.err, args));
  }

  /** Runs a command and returns its status. */
  static int run(PrintStream out, PrintStream err, String... args) {
    CommandLine line = new CommandLine(new Main());
    line.setOut(new java.io.PrintWriter(out, true, out.charset()));
    line.setErr(new java.io.PrintWriter(err, true, err.charset()));
    line.setExpandAtFiles(false);
    line.setParameterExceptionHandler((e, _) -> {
      err.println("fieldstone: " + e.getMessage());
      return ExitCode.USAGE;
    });
    line.setExecutionExceptionHandler((e, _, _) -> {
      err.println("fieldstone: " + Problem.of(e));
      return ExitCode.SOFTWARE;
    });
    try {
      return line.execute(args);
    } catch (Error e) {
      err.println("fieldstone: " + Problem.of(e));
      return ExitCode.SOFTWARE;
    }
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "no command given; there are: "
            + String.join(", ", spec.commandLine().getSubcommands().keySet()));
  }

  /**
   * Returns the context that {@code spark-submit} configured.
   *
   * @throws JobFailedException if there is no master, or it does not answer
   */
  static JavaSparkContext context(String command, boolean isVerbose) throws JobFailedException {
    if (!isVerbose) {
      Configurator.setRootLevel(Level.OFF);
      Configurator.setAllLevels("org", Level.OFF);
    }
    SparkConf conf =
        new SparkConf()
            .setIfMissing("spark.app.name", "fieldstone " + command)
            .set("spark.ui.showConsoleProgress", "false");
    String master = conf.get("spark.master", "");
    try {
      JavaSparkContext context = new JavaSparkContext(conf);
      if (!context.sc().isStopped()) {
        return context;
      }
    } catch (Exception e) { // Scala declares no checked exceptions
      throw new JobFailedException(
          "Spark cannot start with the master '%s': %s".formatted(master, Problem.of(e)), e);
    }
    throw new JobFailedException("no answer from the master '%s'".formatted(master));
  }
}
