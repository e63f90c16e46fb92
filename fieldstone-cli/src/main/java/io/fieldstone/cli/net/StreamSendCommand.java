package io.fieldstone.cli.net;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.key.KeyFiles;
import io.fieldstone.engine.Engine;
import io.fieldstone.net.live.SenderStatistics;
import io.fieldstone.net.live.StreamServer;
import io.fieldstone.net.live.StreamSettings;
import io.fieldstone.net.live.UdpSource;
import io.fieldstone.net.peers.KnownServers;
import io.fieldstone.rlnc.crypto.MasterKey;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone stream send}. */
@Command(
    name = "send",
    sortOptions = false,
    customSynopsis = "fieldstone stream send SOURCE [OPTION]...",
    description = {
      "Send what comes by UDP, from a file or from standard input, until it ends or the command is"
          + " stopped.",
      "",
      "When it is ready, the command prints its address and the fingerprint by which receivers know"
          + " it; then a line a second. A file and standard input wait for the first receiver, and"
          + " are read as fast as all receivers take them, or with --rate.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone stream send udp://127.0.0.1:5000 --deadline 100ms",
      "  ffmpeg -re -i film.mkv -c copy -f mpegts - | fieldstone stream send -",
    })
final class StreamSendCommand implements Callable<Integer> {

  /** Seven packets of an MPEG transport stream, as all of its senders use. */
  private static final int CHUNK_BYTES = 7 * 188;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "SOURCE",
      converter = LiveAddress.Converter.class,
      description =
          "udp://HOST:PORT for packets of 1 to 65,535 bytes that arrive there; a file; - for"
              + " standard input.")
  private LiveAddress source = new LiveAddress(Optional.empty(), Path.of("-"));

  @Option(
      names = "--deadline",
      paramLabel = "TIME",
      defaultValue = "200ms",
      converter = Converters.Time.class,
      description =
          "How long a receiver waits for a packet, beside the delay of the path, such as 100ms or"
              + " 1s (default: ${DEFAULT-VALUE}).")
  private Duration deadline = StreamSettings.DEFAULT_DEADLINE;

  @Mixin private ListenOptions listening = new ListenOptions();

  @Mixin private BrowserOption browsers = new BrowserOption();

  @Mixin private NetOptions net = new NetOptions();

  @Option(
      names = "--encrypt",
      paramLabel = "KEYFILE",
      description = "Encrypt the packets, with a key of 'fieldstone key encryption'.")
  private Optional<Path> encrypt = Optional.empty();

  @Override
  public Integer call() throws IOException, Failure {
    Session session = Session.of(spec);
    Optional<MasterKey> key = KeyFiles.masterKey(session, encrypt);
    StreamSettings settings =
        StreamSettings.of(
                listening.settings(session, net, 1).withBrowsers(browsers.address()), deadline)
            .withKey(key);
    if (source.udp().isEmpty() && !source.isStandardStream()) {
      InputFiles.requireReadable(source.file());
    }
    try (Engine engine = session.openCores();
        OutOfMemoryEnd _ = OutOfMemoryEnd.install();
        StreamServer server = StreamServer.start(engine, settings);
        LiveLines lines =
            LiveLines.start(session, false, () -> Line.of(server.statistics(), server.dropped()))) {
      if (source.udp().isPresent()) {
        sendUdp(session, lines, server);
      } else {
        printReady(session, server, source.toString());
        sendStream(session, server);
        server.finish();
      }
      lines.printNow();
      return ExitCode.OK;
    } catch (InterruptedException e) {
      // Stopped by a signal, which decides the exit status.
      return ExitCode.OK;
    }
  }

  private void sendUdp(Session session, LiveLines lines, StreamServer server)
      throws IOException, InterruptedException, Failure {
    try (UdpSource udp = UdpSource.bind(source.resolved())) {
      printReady(session, server, "udp://" + KnownServers.name(udp.address()));
      Thread own = Thread.currentThread();
      while (!own.isInterrupted() && !lines.hasFailed()) {
        server.send(udp.receive());
      }
    } catch (ClosedChannelException e) {
      throw new InterruptedException();
    }
  }

  private void sendStream(Session session, StreamServer server)
      throws IOException, InterruptedException {
    byte[] chunk = new byte[CHUNK_BYTES];
    try (InputStream in =
        source.isStandardStream() ? session.streams().in() : Files.newInputStream(source.file())) {
      long sinceNanos = System.nanoTime();
      long sent = 0;
      for (int bytes = read(in, chunk); bytes > 0; bytes = read(in, chunk)) {
        server.awaitReceivers();
        if (sent == 0) {
          sinceNanos = System.nanoTime();
        }
        server.send(MemorySegment.ofArray(chunk).asSlice(0, bytes));
        sent += bytes;
        if (net.bytesPerSecond() < Long.MAX_VALUE) {
          long due = sinceNanos + (long) (sent * 1e9 / net.bytesPerSecond());
          long early = due - System.nanoTime();
          if (early > 0) {
            Thread.sleep(Duration.ofNanos(early));
          }
        }
      }
    }
  }

  /** Reads a chunk; less of it where a pipe has no more at this moment. */
  private static int read(InputStream in, byte[] chunk) throws IOException {
    int bytes = in.read(chunk);
    while (bytes > 0 && bytes < chunk.length && (in.available() > 0 || bytes % 188 != 0)) {
      int more = in.read(chunk, bytes, chunk.length - bytes);
      if (more < 0) {
        return bytes;
      }
      bytes += more;
    }
    return bytes;
  }

  private static void printReady(Session session, StreamServer server, String from) throws Failure {
    ListenOptions.printReady(
        session,
        "sending " + from,
        Optional.of(from),
        server.address(),
        server.fingerprint(),
        server.httpAddress(),
        server.browserAddress());
  }

  /** The line of a second. */
  record Line(
      int receivers,
      long packets,
      long parts,
      long repairs,
      long skipped,
      long dropped,
      double lossPercent,
      double redundancyPercent,
      double bytesRatio,
      boolean isCongested,
      double rttMillis)
      implements LiveLines.Line {

    static Line of(SenderStatistics sent, long dropped) {
      return new Line(
          sent.receivers(),
          sent.packets(),
          sent.sources(),
          sent.repairs(),
          sent.skipped(),
          dropped,
          100 * (sent.receivers() == 0 ? 0 : sent.lossShare()),
          100 * sent.redundancy(),
          sent.bytesRatio(),
          sent.isCongested(),
          sent.rttNanos() / 1e6);
    }

    @Override
    public String text() {
      return "%d %s, %s, %d repairs, %d skipped; loss %.2f %%, redundancy %.1f %%, rtt %.1f ms%s"
          .formatted(
              receivers,
              receivers == 1 ? "receiver" : "receivers",
              LiveLines.packets(packets, parts),
              repairs,
              skipped + dropped,
              lossPercent,
              redundancyPercent,
              rttMillis,
              isCongested ? ", congested" : "");
    }
  }
}
