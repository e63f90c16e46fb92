package io.fieldstone.cli;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.FileNames;
import io.fieldstone.cli.console.JsonOutput;
import io.fieldstone.cli.console.Launcher;
import io.fieldstone.cli.console.PhaseCsv;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.StartUp;
import io.fieldstone.cli.console.Streams;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineStatus;
import io.fieldstone.engine.MissingPortException;
import io.fieldstone.engine.Spelling;
import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.stream.Timeline;
import io.fieldstone.stream.file.FileErrors;
import io.fieldstone.stream.file.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses the {@code fieldstone} command line: the common options and the subcommands. Exit codes: 0
 * success, 1 failure, 2 usage error, 130 interrupted.
 */
@StartUp(StartUp.Profile.C1)
@Command(
    name = "fieldstone",
    versionProvider = Version.class,
    sortOptions = false,
    description = "Finite-field computing for networks at hardware speed.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Examples:",
      "  fieldstone demo                               a demonstration of a few seconds",
      "  fieldstone encode film.mkv -o shards          any 11 of 16 restore it",
      "  fieldstone decode shards/*.fst -o film.mkv",
      "  fieldstone protect photos -o photos.parity    parity beside files",
      "",
      "Exit status:",
      "  0 success; 1 failure, with one line on stderr; 2 usage error; 130 Ctrl-C",
      "  3 of verify, repair and decode: blocks are lost for good",
    })
public final class Main implements Runnable, Session.Factory {

  private static final int MAX_THREADS = 4096;

  /** Further threads would only use memory: each has its own buffers and waits for a processor. */
  private static final int MAX_THREADS_PER_PROCESSOR = 8;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--engine",
      paramLabel = "SPEC",
      scope = ScopeType.INHERIT,
      completionCandidates = EngineNames.class,
      description = "Compute engine: auto (the default), or one that 'fieldstone devices' lists.")
  private String engine = "auto";

  @Option(
      names = "--threads",
      paramLabel = "N",
      converter = Converters.Count.class,
      scope = ScopeType.INHERIT,
      description =
          "Worker threads on the CPU, at most 8 per processor (default: one per processor).")
  private long threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = {"-q", "--quiet"},
      scope = ScopeType.INHERIT,
      description = "Hide the progress bar and the summary; errors and warnings stay.")
  private boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Print log messages and timings; after a failure, the stack trace.")
  private boolean verbose;

  @Option(
      names = "--json",
      scope = ScopeType.INHERIT,
      description = "Print the result, or the failure, as one JSON object.")
  private boolean isJson;

  /** For {@code bench files}: when each stage of a job on files ran on each thread. */
  @Option(
      names = "--timeline",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      hidden = true,
      description = "Write the phases of the job to FILE, as comma-separated values.")
  private Optional<Path> timelineFile = Optional.empty();

  private final Timeline timeline = new Timeline();

  @SuppressWarnings("UnusedVariable") // picocli reads the annotation
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  private boolean help;

  @SuppressWarnings("UnusedVariable") // picocli reads the annotation
  @Option(names = "--version", versionHelp = true, description = "Print the version.")
  private boolean version;

  private final Streams streams;
  private final JsonOutput jsonOutput;

  /** Whether {@code --json} is an argument; known before the command line is parsed. */
  private boolean isJsonArgument;

  /** Whether the error line of a failure has been printed. */
  private boolean isFailureReported;

  Main(Streams streams) {
    this.streams = streams;
    this.jsonOutput = new JsonOutput(streams);
  }

  /** Runs the command and exits with its status. */
  public static void main(String[] args) {
    // Numbers are the same everywhere, so that other programs can read them.
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    if (args.length > 0) {
      Commands.job(args[0]).ifPresent(command -> Preparation.start(command, args));
    }
    Streams streams = Streams.system();
    Log.prepare(List.of(args).contains("--verbose") || List.of(args).contains("-v"));
    Optional<String> undecoded = Arguments.undecoded(args);
    if (undecoded.isPresent()) {
      Main main = new Main(streams);
      main.isJsonArgument = isJson(args);
      System.exit(
          main.reportUsageError(
              "argument is not valid in the encoding of this locale, %s: '%s'"
                  .formatted(System.getProperty("sun.jnu.encoding"), undecoded.get())));
    }
    if (SparkSubmit.isRequested(args)) {
      SparkSubmit submit = new SparkSubmit(streams, System.getenv(), Launcher.path());
      System.exit(Interruption.guard(() -> submit.run(args)));
    }
    end(Interruption.guard(() -> run(streams, args)));
  }

  /**
   * Ends the process. After a success the JVM ends by itself if no other thread keeps it: its exit
   * would load the logging system first.
   */
  private static void end(int status) {
    if (status != ExitCode.OK || isKept()) {
      System.exit(status);
    }
  }

  /** Returns whether another thread keeps the JVM from ending. */
  private static boolean isKept() {
    Thread[] running = new Thread[Thread.activeCount() + 1];
    int count = Thread.enumerate(running);
    return count == running.length
        || Arrays.stream(running, 0, count)
            .anyMatch(thread -> !thread.isDaemon() && !thread.equals(Thread.currentThread()));
  }

  /** Runs the command and returns its exit status; throws no exceptions. */
  static int run(Streams streams, String... args) {
    Main main = new Main(streams);
    CommandLine commandLine = commandLine(main, args);
    main.isJsonArgument = isJson(args);
    try {
      int status = commandLine.execute(args);
      main.writeTimeline();
      if (main.isFailureReported) {
        streams.out().flush();
      } else {
        main.jsonOutput.write();
        streams.requireWritten();
      }
      return status;
    } catch (Throwable e) { // picocli does not handle an Error
      int status = main.reportFailure(e);
      streams.out().flush();
      return status;
    }
  }

  private static boolean isJson(String... args) {
    return List.of(args).contains("--json");
  }

  /** Returns true if a command line only lists the commands. */
  private static boolean isListOnly(String... args) {
    return args.length == 1 && args[0].equals("--help");
  }

  /** Makes the parser of a command line, with the commands that it needs. */
  static CommandLine commandLine(Main main, String... args) {
    CommandLine commandLine = new CommandLine(main);
    Commands.of(args)
        .forEach((name, command) ->
            commandLine.addSubcommand(
                name, isListOnly(args) ? Commands.summary(command) : command));
    commandLine
        .setOut(main.streams.outWriter())
        .setErr(main.streams.errWriter())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExpandAtFiles(false) // a file name may begin with @
        .registerConverter(Path.class, new FileNames())
        .setUsageHelpAutoWidth(true)
        .setUsageHelpLongOptionsMaxWidth(30)
        .setParameterExceptionHandler((e, unparsed) -> main.reportUsageError(e))
        .setExecutionExceptionHandler((e, command, parsed) -> main.reportFailure(e));
    HelpLayout.install(commandLine);
    return commandLine;
  }

  /** Lists the engines of this machine that a name opens. */
  static final class EngineNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.concat(
              Stream.of("auto"),
              Engine.available().stream().filter(EngineStatus::isPresent).map(EngineStatus::spec))
          .iterator();
    }
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "no command given; there are: " + String.join(", ", visibleCommands(spec.commandLine())));
  }

  @Override
  public Session session(CommandSpec command) {
    Converters.requireInRange(command, "--threads", threads, 1, MAX_THREADS);
    int limit = MAX_THREADS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();
    return new Session(
        command,
        streams,
        engine,
        (int) Math.min(threads, limit),
        quiet,
        verbose,
        isJson ? Optional.of(jsonOutput) : Optional.empty(),
        timelineFile.isPresent() ? timeline : PhaseListener.NONE);
  }

  private void writeTimeline() throws IOException {
    if (timelineFile.isPresent()) {
      Path file = timelineFile.get();
      FileErrors.naming(file, () -> Files.writeString(file, PhaseCsv.of(timeline.phases())));
    }
  }

  private int reportUsageError(ParameterException e) {
    CommandSpec command = e.getCommandLine().getCommandSpec();
    String message = usageMessage(e);
    int status = reportUsageError(message);
    if (!message.endsWith("?")) { // else it suggests the right word
      boolean isRoot = command.parent() == null;
      streams
          .err()
          .println("see '" + (isRoot ? "fieldstone" : command.qualifiedName()) + " --help'");
    }
    return status;
  }

  private int reportUsageError(String message) {
    isFailureReported = true;
    streams.err().println(ErrorLine.failure(message));
    if (isJson || isJsonArgument) {
      jsonOutput.fail(ErrorLine.oneLine(message.strip()), ExitCode.USAGE);
    }
    return ExitCode.USAGE;
  }

  private static String usageMessage(ParameterException e) {
    List<String> unmatched = e.getCommandLine().getUnmatchedArguments();
    if (e instanceof CommandLine.UnmatchedArgumentException) {
      return unexpected(e.getCommandLine(), unmatched.getFirst());
    }
    if (e instanceof CommandLine.MissingParameterException) {
      // What is missing may be the unknown option's.
      Optional<String> option = unmatched.stream().filter(Main::isOption).findFirst();
      if (option.isPresent()) {
        return unexpected(e.getCommandLine(), option.get());
      }
    }
    if (e.getCause() instanceof TypeConversionException
        && e.getArgSpec() != null
        && e.getArgSpec().completionCandidates() != null) {
      return unknownValue(e.getArgSpec(), e.getValue());
    }
    return FileProblem.lowerFirst(String.valueOf(e.getMessage()));
  }

  /** Tests for the form of an option; {@code -} is standard input. */
  private static boolean isOption(String argument) {
    return argument.startsWith("-") && argument.length() > 1;
  }

  /** Describes an argument that a command does not take, and suggests a similar one. */
  private static String unexpected(CommandLine commandLine, String argument) {
    if (isOption(argument)) {
      List<String> names =
          commandLine.getCommandSpec().options().stream()
              .filter(option -> !option.hidden())
              .map(OptionSpec::longestName)
              .toList();
      String file =
          commandLine.getCommandSpec().positionalParameters().isEmpty()
              ? ""
              : "; for a file, write ./%1$s or -- %1$s".formatted(argument);
      return "unknown option '%s'%s"
          .formatted(
              argument,
              Spelling.nearest(argument, names)
                  .map("; did you mean '%s'?"::formatted)
                  .orElse(file));
    }
    return unknownCommand(commandLine, argument);
  }

  /** Describes a word that is not a command of a command, and suggests a similar one. */
  static String unknownCommand(CommandLine commandLine, String word) {
    List<String> commands = visibleCommands(commandLine);
    return commands.isEmpty()
        ? "unexpected argument '%s'".formatted(word)
        : "no command '%s'; %s".formatted(word, Spelling.hint(word, commands));
  }

  private static String unknownValue(ArgSpec argument, String value) {
    List<String> values = new ArrayList<>();
    argument.completionCandidates().forEach(values::add);
    String name =
        argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    return "%s: no value '%s'; %s".formatted(name, value, Spelling.hint(value, values));
  }

  static List<String> visibleCommands(CommandLine commandLine) {
    return commandLine.getSubcommands().entrySet().stream()
        .filter(entry -> !entry.getValue().getCommandSpec().usageMessage().hidden())
        .map(Map.Entry::getKey)
        .toList();
  }

  private int reportFailure(Throwable e) {
    if (e instanceof MissingPortException missing) {
      return reportUsageError("--engine: " + missing.getMessage());
    }
    isFailureReported = true;
    boolean isShown = e instanceof Failure failure && failure.isReported();
    if (!isShown) {
      streams.err().println(ErrorLine.failure(ErrorLine.of(e)));
      if (verbose) {
        e.printStackTrace(streams.err());
      }
    }
    int status = e instanceof Failure failure ? failure.status() : ExitCode.SOFTWARE;
    String message = ErrorLine.of(e);
    if ((isJson || isJsonArgument) && !message.equals(ErrorLine.INTERRUPTED)) {
      jsonOutput.fail(message, status);
    }
    streams.err().flush();
    return status;
  }
}
