package io.fieldstone.cli;

import io.fieldstone.cli.coding.ShardText;
import io.fieldstone.cli.console.ChartFile;
import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.StartUp;
import io.fieldstone.cli.console.TextTable;
import io.fieldstone.cli.console.Units;
import io.fieldstone.cli.demo.DelaySettings;
import io.fieldstone.cli.demo.DemoNetwork;
import io.fieldstone.cli.demo.DemoReport;
import io.fieldstone.cli.demo.DemoSettings;
import io.fieldstone.cli.demo.GeneratedFile;
import io.fieldstone.engine.Engine;
import io.fieldstone.net.fetch.FetchFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone demo}: a server, relays and receivers on loopback, or a live stream. */
@StartUp(StartUp.Profile.TRANSFER)
@Command(
    name = "demo",
    sortOptions = false,
    customSynopsis = "fieldstone demo [FILE] [OPTION]...",
    description = {
      "Distribute a file to many receivers on this machine, over links that lose packets.",
      "",
      "  server ──> relays ──> receivers        and  server ──> receivers",
      "",
      "Server, relays and receivers are those of 'fieldstone serve', 'relay' and 'fetch'; their"
          + " packets pass links on loopback. Every receiver fetches from all senders at once: any"
          + " innovative block replaces a lost one. The first relay is killed half way. Every link"
          + " loses packets, duplicates 1%% and lets 5%% overtake others, in both directions.",
      "",
      "With --delay, a live stream of frames is sent in virtual time instead: the delay of each"
          + " frame by a sliding window, by the pipeline code, and by whole generations.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone demo                               8 MiB to 8 receivers",
      "  fieldstone demo film.mkv --loss 0.4 --evil    a file, bad links, wrong blocks",
      "  fieldstone demo --delay --plot delay.svg      the delay of frames",
    })
final class DemoCommand implements Callable<Integer> {

  private static final long MAX_GENERATED_BYTES = 1L << 40;

  /** The frames of a stream that are simulated, at least. */
  private static final int STREAM_FRAMES = 6400;

  /** The packets that arrive on average, for each frame of a stream. */
  private static final double SPARE = 1.2;

  private static final long DEFAULT_FRAMES = 64;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "File to send (default: generated data).")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--receivers",
      paramLabel = "N",
      defaultValue = "8",
      converter = Converters.Count.class,
      description = "Number of receivers (default: ${DEFAULT-VALUE}).")
  private long receivers;

  @Option(
      names = "--relays",
      paramLabel = "N",
      defaultValue = "2",
      converter = Converters.Count.class,
      description = "Number of relays, 0 or more (default: ${DEFAULT-VALUE}).")
  private long relays;

  @Option(
      names = "--loss",
      paramLabel = "P",
      defaultValue = "0.2",
      converter = Converters.Decimal.class,
      description = "Packet loss rate of each link, in [0, 1) (default: ${DEFAULT-VALUE}).")
  private double loss;

  @Option(
      names = "--evil",
      description = "Add a relay that sends wrong blocks; receivers find and ban it.")
  private boolean isEvil;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "8MiB",
      converter = Converters.Size.class,
      description = "Size of the generated data if no FILE is given (default: ${DEFAULT-VALUE}).")
  private long size;

  @Option(
      names = "--delay",
      description = "Send a live stream in virtual time, and show the delay of its frames.")
  private boolean isDelay;

  @Option(
      names = "--generation",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "With --delay: frames per generation (default: 64).")
  private @Nullable Long generation;

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description = "With --delay: draw the delay by the position in a generation (.svg, .png).")
  private @Nullable Path plot;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      converter = Converters.Seed.class,
      description = "Seed of data and losses (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Override
  public Integer call() throws IOException, InterruptedException, Failure, FetchFailedException {
    Session session = Session.of(spec);
    Converters.requireFraction(spec, "--loss", loss, 0, 1);
    if (isDelay) {
      if (file.isPresent() || isEvil || isGiven("--receivers", "--relays", "--size")) {
        throw session.usage("--delay takes no file, --evil, --receivers, --relays or --size");
      }
      return delay(session);
    }
    if (generation != null || plot != null) {
      throw session.usage("--generation and --plot need --delay");
    }
    DemoSettings settings = settings();
    if (file.isPresent() && isGiven("--size")) {
      throw session.usage("--size is for generated data, not for '%s'".formatted(file.get()));
    }
    if (file.isPresent()) {
      long _ = InputFiles.requireReadable(file.get());
      return run(session, settings, file.get());
    }
    if (size > MAX_GENERATED_BYTES) {
      Converters.requireSizeInRange(spec, "--size", size, 0, MAX_GENERATED_BYTES);
    }
    try (GeneratedFile generated = GeneratedFile.create(size, seed)) {
      return run(session, settings, generated.path());
    }
  }

  private boolean isGiven(String... options) {
    return Stream.of(options).anyMatch(spec.commandLine().getParseResult()::hasMatchedOption);
  }

  private int delay(Session session) throws IOException, Failure {
    int frames =
        Converters.requireInRange(
            spec,
            "--generation",
            generation == null ? DEFAULT_FRAMES : generation,
            1,
            DelaySettings.MAX_FRAMES);
    double redundancy = SPARE / (1 - loss) - 1;
    if (redundancy > DelaySettings.MAX_REDUNDANCY) {
      throw session.usage("--loss " + loss + " is too high for a stream");
    }
    if (plot != null) {
      ChartFile.requireDrawable(spec, "--plot", plot);
      InputFiles.requireWritable(plot);
    }
    DelaySettings settings =
        new DelaySettings(frames, Math.ceilDiv(STREAM_FRAMES, frames), loss, redundancy, seed);
    try (Engine engine = session.openEngine()) {
      DelayComparison comparison = DelayComparison.of(engine, settings);
      if (plot != null) {
        ChartFile.write(plot, List.of(comparison.chart()));
      }
      session.print(comparison.result(), comparison::text);
      return ExitCode.OK;
    }
  }

  private DemoSettings settings() {
    return new DemoSettings(
        Converters.requireInRange(spec, "--receivers", receivers, 1, DemoSettings.MAX_RECEIVERS),
        Converters.requireInRange(spec, "--relays", relays, 0, DemoSettings.MAX_RELAYS),
        loss,
        isEvil,
        seed);
  }

  private int run(Session session, DemoSettings settings, Path path)
      throws IOException, InterruptedException, Failure, FetchFailedException {
    try (Engine engine = session.openEngine()) {
      DemoReport report;
      try (Progress progress =
          session.progress("demo", file.isPresent() ? Files.size(path) : size)) {
        report = DemoNetwork.run(engine, settings, path, session.threads(), progress);
      }
      session.print(
          Result.of(engine, settings, report), () -> text(settings, report, engine.summary()));
      if (!report.isEqualEverywhere()) {
        throw new Failure("a receiver's SHA-256 differs from the source's", name());
      }
      return ExitCode.OK;
    }
  }

  /** The result as {@code --json} prints it. */
  private record Result(
      String engine,
      int relays,
      double loss,
      long seed,
      long bytes,
      long blocks,
      String sha256,
      List<Received> receivers,
      DemoReport.Links links,
      long sentBySource,
      boolean isRelayKilled,
      Optional<DemoReport.Evil> evil,
      double seconds) {

    static Result of(Engine engine, DemoSettings settings, DemoReport report) {
      return new Result(
          engine.spec(),
          settings.relays(),
          settings.loss(),
          settings.seed(),
          report.bytes(),
          report.blocks(),
          report.sha256(),
          report.receivers().stream().map(receiver -> Received.of(receiver, report)).toList(),
          report.links(),
          report.sentBySource(),
          report.isRelayKilled(),
          report.evil(),
          report.nanos() / 1e9);
    }
  }

  /** A receiver as {@code --json} prints it. */
  private record Received(
      long received, long innovative, double overhead, double megabytesPerSecond, boolean isEqual) {

    static Received of(DemoReport.Receiver receiver, DemoReport report) {
      return new Received(
          receiver.received(),
          receiver.innovative(),
          receiver.overhead(),
          Units.megabytes(report.bytes(), receiver.nanos()),
          receiver.isEqual());
    }
  }

  private String name() {
    return file.map(Path::toString).orElse("generated data");
  }

  private String text(DemoSettings settings, DemoReport report, String engine) {
    TextTable table =
        new TextTable()
            .number("receiver")
            .number("blocks received")
            .number("innovative")
            .number("overhead %")
            .number("MB/s")
            .text("SHA-256");
    List<DemoReport.Receiver> all = report.receivers();
    for (int i = 0; i < all.size(); i++) {
      DemoReport.Receiver receiver = all.get(i);
      table.row(
          i + 1,
          Units.count(receiver.received()),
          Units.count(receiver.innovative()),
          Units.percent(receiver.overhead()),
          report.bytes() == 0
              ? "-"
              : Units.significant(Units.megabytes(report.bytes(), receiver.nanos())),
          receiver.isEqual() ? "equal" : "DIFFERENT");
    }
    return heading(settings, report) + "\n" + table + "\n" + summary(report, engine);
  }

  private String heading(DemoSettings settings, DemoReport report) {
    String receiverCount = ShardText.plural(settings.receivers(), "receiver");
    String sketch =
        settings.relays() == 0
            ? "server ──> " + receiverCount
            : "server ──> %s ──> %s, and server ──> every receiver"
                .formatted(ShardText.plural(settings.relays(), "relay"), receiverCount);
    return """
    %s
    every link loses %s%%, duplicates %s%%, lets %s%% overtake others
    %s: %s in %s
    """
        .formatted(
            sketch,
            Units.percent(settings.loss()),
            Units.percent(DemoNetwork.DUPLICATED),
            Units.percent(DemoNetwork.REORDERED),
            name(),
            Units.bytes(report.bytes()),
            ShardText.plural(report.blocks(), "block"));
  }

  private static String summary(DemoReport report, String engine) {
    StringBuilder text = new StringBuilder();
    DemoReport.Links links = report.links();
    text.append(
        """
        links   %s packets to receivers and relays
                (%s blocks by the server),
                %s lost, %s duplicated, %s overtook
        """
            .formatted(
                Units.count(links.packets()),
                Units.count(report.sentBySource()),
                Units.count(links.lost()),
                Units.count(links.duplicated()),
                Units.count(links.reordered())));
    if (report.isRelayKilled()) {
      text.append("killed  relay 1, half way\n");
    }
    report
        .evil()
        .ifPresent(evil ->
            text.append("evil    %s…\n".formatted(evil.fingerprint().substring(0, 23)))
                .append(
                    "        banned by %d of %s; others wrongly banned: %d\n"
                        .formatted(
                            evil.bannedBy(),
                            ShardText.plural(report.receivers().size(), "receiver"),
                            evil.wronglyBanned())));
    text.append(
        """
        time    %s on %s
        sha256  %s
                equal at %d of %s
        """
            .formatted(
                Units.duration(report.nanos()),
                engine,
                report.sha256(),
                report.receivers().stream().filter(DemoReport.Receiver::isEqual).count(),
                ShardText.plural(report.receivers().size(), "receiver")));
    return text.toString();
  }
}
