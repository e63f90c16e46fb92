package io.fieldstone.cli.net;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.key.KeyFiles;
import io.fieldstone.engine.Engine;
import io.fieldstone.net.live.ClientSettings;
import io.fieldstone.net.live.OutputSink;
import io.fieldstone.net.live.ReceiverStatistics;
import io.fieldstone.net.live.StreamReceiver;
import io.fieldstone.net.live.UdpSink;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.repair.DeliveryTime;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone stream receive}. */
@Command(
    name = "receive",
    sortOptions = false,
    customSynopsis = "fieldstone stream receive --from HOST:PORT[,...] -o SINK [OPTION]...",
    description = {
      "Receive a live stream from a server or relay, and pass its packets on in order, until it"
          + " ends.",
      "",
      "It begins with the next packet, and connects again if the connection is lost; with several"
          + " addresses, to the next one. A line a second shows what the path lost, what was"
          + " repaired, and what was not (residual).",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone stream receive --from a.example:4433 -o udp://127.0.0.1:8000",
      "  fieldstone stream receive --from a.example:4433 -o - | mpv -",
    })
final class StreamReceiveCommand implements Callable<Integer> {

  private static final Duration POLL = Duration.ofMillis(200);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private SourceOptions sources = new SourceOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "SINK",
      required = true,
      converter = LiveAddress.Converter.class,
      description =
          "udp://HOST:PORT to send packets there as they were; a file; - for standard output.")
  private LiveAddress sink = new LiveAddress(Optional.empty(), Path.of("-"));

  @Option(
      names = "--deadline",
      paramLabel = "TIME",
      converter = Converters.Time.class,
      description =
          "How long to wait for a packet, beside the delay of the path (default: that of the"
              + " sender).")
  private Optional<Duration> deadline = Optional.empty();

  @Option(
      names = "--constant-delay",
      description =
          "Pass each packet on at its deadline, in the rhythm in which the sender had them: for"
              + " players with a small buffer (default: as soon as possible).")
  private boolean hasConstantDelay;

  @Option(
      names = "--key",
      paramLabel = "KEYFILE",
      description = "Key with which the stream is encrypted ('fieldstone key encryption').")
  private Optional<Path> key = Optional.empty();

  @Mixin private ClientOptions client = new ClientOptions();

  @Mixin private PagesOption pages = new PagesOption();

  @Override
  public Integer call() throws IOException, InterruptedException, Failure {
    Session session = Session.of(spec);
    session.requireOneOnStandardOutput("-o", sink.isStandardStream());
    ClientSettings settings = sources.client(spec, client);
    Optional<MasterKey> master = KeyFiles.masterKey(session, key);
    try (Engine engine = session.openCores()) {
      if (sink.udp().isPresent()) {
        try (UdpSink udp = UdpSink.open(sink.resolved())) {
          receive(session, engine, settings, master, udp, udp::dropped, () -> {});
        }
      } else if (sink.isStandardStream()) {
        write(session, engine, settings, master, session.streams().data());
      } else {
        InputFiles.requireWritable(sink.file());
        try (OutputStream file =
            new BufferedOutputStream(Files.newOutputStream(sink.file()), 1 << 16)) {
          write(session, engine, settings, master, file);
        }
      }
      return ExitCode.OK;
    }
  }

  private void write(
      Session session,
      Engine engine,
      ClientSettings settings,
      Optional<MasterKey> master,
      OutputStream out)
      throws IOException, InterruptedException {
    try (OutputSink output = new OutputSink(out)) {
      receive(session, engine, settings, master, output, output::dropped, output::requireWritten);
    }
    out.flush();
  }

  /** Throws if the sink has failed. */
  private interface Check {
    void run() throws IOException;
  }

  private void receive(
      Session session,
      Engine engine,
      ClientSettings settings,
      Optional<MasterKey> master,
      StreamReceiver.Sink output,
      LongSupplier dropped,
      Check check)
      throws IOException, InterruptedException {
    try (StreamReceiver receiver =
            StreamReceiver.start(
                engine,
                settings,
                deadline,
                master,
                hasConstantDelay ? DeliveryTime.AT_DEADLINE : DeliveryTime.AT_ONCE,
                output);
        PagesOption.Open _ = pages.open(session, receiver::openPages);
        LiveLines lines =
            LiveLines.start(
                session,
                sink.isStandardStream(),
                () -> Line.of(receiver.statistics(), dropped.getAsLong()))) {
      while (!receiver.awaitEnd(POLL)) {
        check.run();
      }
      lines.printNow();
    }
  }

  /** The line of a second. */
  record Line(
      long packets,
      long parts,
      long deliveredBytes,
      long lost,
      long repaired,
      long late,
      long residual,
      long repairs,
      long forged,
      long dropped,
      double delayMillis50,
      double delayMillis99)
      implements LiveLines.Line {

    static Line of(ReceiverStatistics received, long dropped) {
      return new Line(
          received.packets(),
          received.delivered(),
          received.deliveredBytes(),
          received.lost(),
          received.repaired(),
          received.late(),
          received.residual(),
          received.repairs(),
          received.forged(),
          dropped,
          received.delayMillis50(),
          received.delayMillis99());
    }

    @Override
    public String text() {
      return ("%s, %d lost, %d repaired, %d late, %d residual, %d repairs;"
              + " delay %.1f ms, 99 %% %.1f ms%s")
          .formatted(
              LiveLines.packets(packets, parts),
              lost,
              repaired,
              late,
              residual,
              repairs,
              delayMillis50,
              delayMillis99,
              dropped == 0 ? "" : ", %d not taken by the output".formatted(dropped));
    }
  }
}
