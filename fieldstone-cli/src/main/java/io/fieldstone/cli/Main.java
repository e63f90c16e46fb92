package io.fieldstone.cli;

import io.fieldstone.bench.report.PhaseCsv;
import io.fieldstone.cli.backup.ProtectCommand;
import io.fieldstone.cli.backup.RepairCommand;
import io.fieldstone.cli.backup.VerifyCommand;
import io.fieldstone.cli.coding.DecodeCommand;
import io.fieldstone.cli.coding.EncodeCommand;
import io.fieldstone.cli.coding.InspectCommand;
import io.fieldstone.cli.coding.RecodeCommand;
import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.cli.console.FileNames;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.Streams;
import io.fieldstone.cli.crc.CrcCommand;
import io.fieldstone.cli.key.KeyCommand;
import io.fieldstone.cli.net.FetchCommand;
import io.fieldstone.cli.net.RelayCommand;
import io.fieldstone.cli.net.ServeCommand;
import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.stream.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * Parses the {@code fieldstone} command line: the common options and the subcommands. Exit codes: 0
 * success, 1 failure, 2 usage error, 130 interrupted.
 */
@Command(
    name = "fieldstone",
    versionProvider = Version.class,
    sortOptions = false,
    description = "Finite-field computing for networks at hardware speed.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  fieldstone demo                               a demonstration of a few seconds",
      "  fieldstone encode film.mkv -o shards          any 11 of 16 shards restore the film",
      "  fieldstone decode shards/*.fst -o film.mkv",
      "  fieldstone protect photos -o photos.parity    parity beside files that stay as they are",
      "",
      "Exit status: 0 success, 1 failure (one line on stderr), 2 usage error.",
    })
public final class Main implements Runnable, Session.Factory {

  /** The commands by name, in the order of the help page. */
  static final Map<String, Class<?>> COMMANDS = commands();

  private static final int MAX_THREADS = 4096;

  /** Further threads would only use memory: each has its own buffers and waits for a processor. */
  private static final int MAX_THREADS_PER_PROCESSOR = 8;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--engine",
      paramLabel = "SPEC",
      scope = ScopeType.INHERIT,
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
      description = "Show no progress bar, and print only results that an option requests.")
  private boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Print log messages and timings, and a stack trace on failure.")
  private boolean verbose;

  @Option(
      names = "--json",
      scope = ScopeType.INHERIT,
      description = "Print the result as one JSON object.")
  private boolean json;

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

  /** Whether the error line of a failure has been printed. */
  private boolean isFailureReported;

  Main(Streams streams) {
    this.streams = streams;
  }

  /** Runs the command and exits with its status. */
  public static void main(String[] args) {
    Streams streams = Streams.system();
    Log.to(streams.err(), List.of(args).contains("--verbose") || List.of(args).contains("-v"));
    Optional<String> undecoded = Arguments.undecoded(args);
    if (undecoded.isPresent()) {
      streams
          .err()
          .printf(
              "fieldstone: argument is not valid in the encoding of this locale, %s: '%s'%n",
              System.getProperty("sun.jnu.encoding"), ErrorLine.oneLine(undecoded.get()));
      System.exit(ExitCode.USAGE);
    }
    System.exit(Interruption.guard(() -> run(streams, args)));
  }

  /** Runs the command and returns its exit status; throws no exceptions. */
  static int run(Streams streams, String... args) {
    Main main = new Main(streams);
    CommandLine commandLine = commandLine(main, args);
    try {
      int status = commandLine.execute(args);
      main.writeTimeline();
      if (main.isFailureReported) {
        streams.out().flush();
      } else {
        streams.requireWritten();
      }
      return status;
    } catch (Throwable e) { // picocli does not handle an Error
      return main.reportFailure(e);
    }
  }

  /** Makes the parser of a command line, with the commands that it needs. */
  static CommandLine commandLine(Main main, String... args) {
    CommandLine commandLine = new CommandLine(main);
    commandsFor(args).forEach(commandLine::addSubcommand);
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

  private static Map<String, Class<?>> commands() {
    Map<String, Class<?>> commands = new LinkedHashMap<>();
    commands.put("demo", DemoCommand.class);
    commands.put("encode", EncodeCommand.class);
    commands.put("decode", DecodeCommand.class);
    commands.put("recode", RecodeCommand.class);
    commands.put("inspect", InspectCommand.class);
    commands.put("protect", ProtectCommand.class);
    commands.put("verify", VerifyCommand.class);
    commands.put("repair", RepairCommand.class);
    commands.put("serve", ServeCommand.class);
    commands.put("relay", RelayCommand.class);
    commands.put("fetch", FetchCommand.class);
    commands.put("key", KeyCommand.class);
    commands.put("crc", CrcCommand.class);
    commands.put("weights", WeightsCommand.class);
    commands.put("relays", RelaysCommand.class);
    commands.put("sort", SortCommand.class);
    commands.put("devices", DevicesCommand.class);
    commands.put("bench", BenchCommand.class);
    commands.put(CompletionCommand.NAME, CompletionCommand.class);
    commands.put(TrainCommand.NAME, TrainCommand.class);
    return Collections.unmodifiableMap(commands);
  }

  /**
   * Returns the commands that a command line needs. Reading the options of all commands by
   * reflection takes longer than most small jobs, so the first argument selects its command.
   */
  private static Map<String, Class<?>> commandsFor(String... args) {
    String first = args.length == 0 ? "" : args[0];
    if (first.equals("--version")) {
      return Map.of();
    }
    Class<?> command = COMMANDS.get(first);
    return command == null || command == CompletionCommand.class
        ? COMMANDS
        : Map.of(first, command);
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "no command; there are: " + String.join(", ", visibleCommands(spec.commandLine())));
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
        json,
        timelineFile.isPresent() ? timeline : PhaseListener.NONE);
  }

  private void writeTimeline() throws IOException {
    if (timelineFile.isPresent()) {
      Files.writeString(timelineFile.get(), PhaseCsv.of(timeline.phases()));
    }
  }

  private int reportUsageError(ParameterException e) {
    CommandSpec command = e.getCommandLine().getCommandSpec();
    boolean isRoot = command.parent() == null;
    streams.err().println("fieldstone: " + ErrorLine.oneLine(usageMessage(e)));
    streams.err().println("see '" + (isRoot ? "fieldstone" : command.qualifiedName()) + " --help'");
    return ExitCode.USAGE;
  }

  private static String usageMessage(ParameterException e) {
    if (e instanceof CommandLine.UnmatchedArgumentException unmatched) {
      CommandLine commandLine = e.getCommandLine();
      String argument = unmatched.getUnmatched().getFirst();
      if (argument.startsWith("-")) {
        return "unknown option '" + argument + "'";
      }
      if (commandLine.getParent() == null) {
        return "no command '%s'; there are: %s"
            .formatted(argument, String.join(", ", visibleCommands(commandLine)));
      }
      return "unexpected argument '" + argument + "'";
    }
    String message = String.valueOf(e.getMessage());
    return Character.toLowerCase(message.charAt(0)) + message.substring(1);
  }

  private static List<String> visibleCommands(CommandLine commandLine) {
    return commandLine.getSubcommands().entrySet().stream()
        .filter(entry -> !entry.getValue().getCommandSpec().usageMessage().hidden())
        .map(Map.Entry::getKey)
        .toList();
  }

  private int reportFailure(Throwable e) {
    isFailureReported = true;
    streams.err().println("fieldstone: " + ErrorLine.of(e));
    if (verbose) {
      e.printStackTrace(streams.err());
    }
    streams.err().flush();
    return ExitCode.SOFTWARE;
  }
}
