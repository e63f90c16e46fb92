package io.fieldstone.spark.app;

import io.fieldstone.spark.JobFailedException;
import io.fieldstone.spark.Problem;
import io.fieldstone.stream.file.Printable;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
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
 * standard error, 2 usage error, 3 shards with too few blocks.
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
      WeightsCommand.class,
      DistanceCommand.class
    },
    footer = {
      "",
      "Example:",
      "  spark-submit --master URL fieldstone-spark-VERSION-app.jar crc hdfs:///films -o sums",
      "",
      "Exit status:",
      "  0 success; 1 failure, with one line on stderr; 2 usage error; 3 shards have too few"
          + " blocks",
    })
public final class Main implements Runnable {

  /** The exit status if shards have too few blocks, as that of the local commands. */
  private static final int NOT_RESTORABLE = 3;

  private static final String STANDALONE = "spark://";
  private static final int MAX_CONNECT_MS = 10_000;

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
    line.setCaseInsensitiveEnumValuesAllowed(true);
    boolean isJson = List.of(args).contains("--json");
    BiFunction<String, Integer, Integer> fail =
        (message, exit) -> {
          String problem = Printable.line(message);
          err.println("fieldstone: " + problem);
          if (isJson) {
            out.println(JsonText.of(new JsonText.Failure(problem, exit)));
          }
          return exit;
        };
    line.setParameterExceptionHandler(
        (e, _) -> fail.apply(String.valueOf(e.getMessage()), ExitCode.USAGE));
    line.setExecutionExceptionHandler((e, _, _) -> fail.apply(Problem.of(e), status(e)));
    try {
      return line.execute(args);
    } catch (Error e) {
      return fail.apply(Problem.of(e), ExitCode.SOFTWARE);
    }
  }

  /** Returns the exit status of a failed job. */
  static int status(Throwable e) {
    return Problem.isNotRestorable(e) ? NOT_RESTORABLE : ExitCode.SOFTWARE;
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
    SparkConf conf =
        new SparkConf()
            .setIfMissing("spark.app.name", "fieldstone " + command)
            .set("spark.ui.showConsoleProgress", "false");
    if (!isVerbose) {
      // Else Spark sets its default levels later: SparkSubmit has reset its log settings.
      boolean _ = conf.initializeLogIfNecessary(false, true);
      Configurator.setRootLevel(Level.OFF);
      Configurator.setAllLevels("org", Level.OFF);
    }
    String master = conf.get("spark.master", "");
    requireMaster(master);
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

  /** Checks that a standalone master listens, because Spark itself tries it for a minute. */
  private static void requireMaster(String master) throws JobFailedException {
    if (master.isEmpty()) {
      throw new JobFailedException("no master given: spark-submit --master URL");
    }
    if (!master.startsWith(STANDALONE)) {
      return;
    }
    String problem = "";
    for (String address : master.substring(STANDALONE.length()).split(",")) {
      int colon = address.lastIndexOf(':');
      if (colon < 0 || !address.substring(colon + 1).matches("[0-9]{1,5}")) {
        throw new JobFailedException("not HOST:PORT in the master '%s'".formatted(master));
      }
      int port = Integer.parseInt(address.substring(colon + 1));
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(address.substring(0, colon), port), MAX_CONNECT_MS);
        return;
      } catch (IOException | IllegalArgumentException e) {
        problem =
            e instanceof UnknownHostException ? "unknown host" : String.valueOf(e.getMessage());
      }
    }
    throw new JobFailedException(
        "no answer from the master '%s': %s".formatted(master, problem.toLowerCase(Locale.ROOT)));
  }
}
