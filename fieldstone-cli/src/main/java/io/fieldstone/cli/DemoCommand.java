package io.fieldstone.cli;

import io.fieldstone.cli.coding.CodingOptions;
import io.fieldstone.cli.coding.ShardText;
import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.TextTable;
import io.fieldstone.cli.console.Units;
import io.fieldstone.cli.demo.Content;
import io.fieldstone.cli.demo.DemoNetwork;
import io.fieldstone.cli.demo.DemoReport;
import io.fieldstone.cli.demo.DemoSettings;
import io.fieldstone.cli.demo.LinkCounts;
import io.fieldstone.cli.demo.LinkQuality;
import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.GenerationShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone demo}: simulates a source, relays and receivers in one process. */
@Command(
    name = "demo",
    sortOptions = false,
    customSynopsis = "fieldstone demo [FILE] [OPTION]...",
    description = {
      "Distribute a file to many receivers over a simulated network that loses packets.",
      "",
      "  source ──> relays ──> receivers        and  source ──> receivers",
      "",
      "The source sends coded blocks to every relay and every receiver. A relay combines the blocks"
          + " it has received into new blocks, without decoding. A receiver accepts blocks from all"
          + " senders and decodes a generation from any n linearly independent blocks. There are no"
          + " retransmissions: any other coded block replaces a lost one. Every link loses blocks,"
          + " duplicates 1%% and delays 5%%, so that later blocks overtake them.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone demo                               32 MiB to 8 receivers",
      "  fieldstone demo film.mkv --loss 0.5           your own file, bad links",
      "  fieldstone demo --relays 0 --receivers 1      a single link",
    })
final class DemoCommand implements Callable<Integer> {

  private static final double DUPLICATION = 0.01;
  private static final double REORDERING = 0.05;
  private static final long MAX_GENERATED_BYTES = 1L << 40;

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
      description = "Number of recoding relays, 0 or more (default: ${DEFAULT-VALUE}).")
  private long relays;

  @Option(
      names = "--loss",
      paramLabel = "P",
      defaultValue = "0.2",
      converter = Converters.Decimal.class,
      description = "Packet loss rate of each link, in [0, 1) (default: ${DEFAULT-VALUE}).")
  private double loss;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "32MiB",
      converter = Converters.Size.class,
      description = "Size of the generated data if no FILE is given (default: ${DEFAULT-VALUE}).")
  private long size;

  @Option(
      names = "--code",
      paramLabel = "CODE",
      defaultValue = "dense",
      description = "One of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private CodingOptions.CodeName code = CodingOptions.CodeName.dense;

  @Mixin private CodingOptions coding = new CodingOptions();

  @Override
  public Integer call() throws IOException, InterruptedException, Failure {
    Session session = Session.of(spec);
    DemoSettings settings = settings();
    Content content = content();
    try (Engine engine = session.openEngine()) {
      DemoReport report;
      try (Progress progress = session.progress("demo", content.length())) {
        report = DemoNetwork.run(engine, settings, content, session.threads(), progress);
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
      String code,
      int n,
      int k,
      int relays,
      LinkQuality link,
      long seed,
      long bytes,
      long generations,
      long blocks,
      String sha256,
      List<Received> receivers,
      LinkCounts links,
      long sentBySource,
      double multiplyAccumulates,
      double seconds) {

    static Result of(Engine engine, DemoSettings settings, DemoReport report) {
      return new Result(
          engine.spec(),
          settings.shape().code().name(),
          settings.shape().blocks(),
          settings.shape().blockSize(),
          settings.relays(),
          settings.quality(),
          settings.seed(),
          report.bytes(),
          report.generations(),
          report.blocks(),
          report.sha256(),
          report.receivers().stream().map(receiver -> Received.of(receiver, report)).toList(),
          report.links(),
          report.sentBySource(),
          report.multiplyAccumulates(),
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

  private DemoSettings settings() {
    int receiverCount =
        Converters.requireInRange(spec, "--receivers", receivers, 1, DemoSettings.MAX_NODES);
    int relayCount = Converters.requireInRange(spec, "--relays", relays, 0, DemoSettings.MAX_NODES);
    Converters.requireFraction(spec, "--loss", loss, 0, 1);
    GenerationShape shape = coding.shape(spec, code, 1 / (1 - loss) - 1);
    return new DemoSettings(
        shape,
        receiverCount,
        relayCount,
        new LinkQuality(loss, DUPLICATION, REORDERING),
        coding.seed());
  }

  private Content content() throws IOException, Failure {
    if (file.isPresent()) {
      Path path = file.orElseThrow();
      return new Content.OfFile(path, InputFiles.requireReadable(path));
    }
    if (size > MAX_GENERATED_BYTES) {
      Converters.requireSizeInRange(spec, "--size", size, 0, MAX_GENERATED_BYTES);
    }
    return new Content.Generated(size, coding.seed());
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
    GenerationShape shape = settings.shape();
    String receiverCount = ShardText.plural(settings.receivers(), "receiver");
    String sketch =
        settings.relays() == 0
            ? "source ──> " + receiverCount
            : "source ──> %s ──> %s, and source ──> every receiver"
                .formatted(ShardText.plural(settings.relays(), "relay"), receiverCount);
    return """
    %s
    every link loses %s%%, duplicates %s%%, delays %s%%
    %s: %s in %s of %d × %s, %s code
    """
        .formatted(
            sketch,
            Units.percent(settings.quality().loss()),
            Units.percent(settings.quality().duplication()),
            Units.percent(settings.quality().reordering()),
            name(),
            Units.bytes(report.bytes()),
            ShardText.plural(report.generations(), "generation"),
            shape.blocks(),
            Units.bytes(shape.blockSize()),
            shape.code().name());
  }

  private static String summary(DemoReport report, String engine) {
    LinkCounts links = report.links();
    return """
    links   %s blocks sent (%s by the source),
            %s lost, %s duplicated, %s delayed
    coding  %s GF-MAC in %s, %s
            on %s
    sha256  %s
            equal at %d of %s
    """
        .formatted(
            Units.count(links.sent()),
            Units.count(report.sentBySource()),
            Units.count(links.lost()),
            Units.count(links.duplicated()),
            Units.count(links.reordered()),
            Units.scaled(report.multiplyAccumulates()),
            Units.duration(report.nanos()),
            Units.macRate(report.multiplyAccumulates(), report.nanos()),
            engine,
            report.sha256(),
            report.receivers().stream().filter(DemoReport.Receiver::isEqual).count(),
            ShardText.plural(report.receivers().size(), "receiver"));
  }
}
