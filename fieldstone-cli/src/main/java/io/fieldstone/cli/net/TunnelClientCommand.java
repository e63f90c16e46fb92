package io.fieldstone.cli.net;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.Session;
import io.fieldstone.engine.Engine;
import io.fieldstone.net.live.ClientSettings;
import io.fieldstone.net.live.TunDevice;
import io.fieldstone.net.live.TunnelClient;
import io.fieldstone.net.live.UdpSource;
import io.fieldstone.net.peers.KnownServers;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone tunnel client}. */
@Command(
    name = "client",
    sortOptions = false,
    customSynopsis =
        "fieldstone tunnel client --from HOST:PORT (--listen udp://HOST:PORT | --tun NAME)"
            + " [OPTION]...",
    description = {
      "Connect to a tunnel, until the command is stopped.",
      "",
      "With --listen, what applications send to a UDP port of this host reaches the port of the"
          + " server, and answers come back. With --tun, packets pass between TUN devices. The"
          + " client connects again if the connection is lost, and a change of its address does"
          + " not end it.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone tunnel client --from a.example:4433 --listen udp://127.0.0.1:51820",
      "  fieldstone tunnel client --from a.example:4433 --tun fst0 --address 10.9.0.2/24",
    })
final class TunnelClientCommand implements Callable<Integer> {

  private static final Duration POLL = Duration.ofSeconds(1);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private SourceOptions sources = new SourceOptions();

  @ArgGroup(multiplicity = "1", order = 0)
  private End end = new End();

  /** The UDP port or the TUN device of this host. */
  static final class End extends TunOptions.Device {
    @Option(
        names = "--listen",
        paramLabel = "udp://HOST:PORT",
        converter = LiveAddress.Converter.class,
        description = "UDP port of this host for applications; port 0 chooses one.")
    private Optional<LiveAddress> listen = Optional.empty();
  }

  @Mixin private TunOptions device = new TunOptions();

  @Mixin private NetOptions net = new NetOptions();

  @Mixin private PagesOption pages = new PagesOption();

  @Override
  public Integer call() throws IOException, InterruptedException, Failure {
    Session session = Session.of(spec);
    if (end.listen.isPresent() && end.listen.get().udp().isEmpty()) {
      throw session.usage("--listen: '%s' is not udp://HOST:PORT".formatted(end.listen.get()));
    }
    ClientSettings settings = sources.client(spec, net.client());
    if (end.tun().isPresent()) {
      TunDevice opened = device.open(session, end.tun().get());
      try (Engine engine = session.openCores();
          TunnelClient client =
              TunnelClient.fromTun(engine, settings, opened, net.bytesPerSecond(), net.isCubic())) {
        device.dropRights();
        run(session, client, opened.name());
      } finally {
        opened.close();
      }
    } else {
      try (Engine engine = session.openCores();
          UdpSource udp = UdpSource.bind(end.listen.orElseThrow().resolved());
          TunnelClient client =
              TunnelClient.fromUdp(engine, settings, udp, net.bytesPerSecond(), net.isCubic())) {
        run(session, client, "udp://" + KnownServers.name(udp.address()));
      }
    }
    return ExitCode.OK;
  }

  private void run(Session session, TunnelClient client, String at)
      throws IOException, InterruptedException, Failure {
    client.awaitConnected();
    String server = client.server().map(KnownServers::name).orElse("");
    session.json().ifPresent(output -> output.writeLine(new Ready(at, server)));
    if (!session.isJson()) {
      session.streams().out().printf("tunnel from %s to %s%n", at, server);
    }
    session.streams().out().flush();
    session.streams().requireWritten();
    try (PagesOption.Open _ = pages.open(session, client::openPages);
        LiveLines lines =
            LiveLines.start(session, false, () -> TunnelLine.of(1, client.statistics()))) {
      while (!lines.hasFailed()) {
        client.awaitFailure(POLL);
      }
    }
  }

  /** The line that {@code --json} prints when the tunnel is connected. */
  private record Ready(String listen, String server) {}
}
