package io.fieldstone.cli.net;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.Session;
import io.fieldstone.engine.Engine;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.live.TunDevice;
import io.fieldstone.net.live.TunnelServer;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone tunnel server}. */
@Command(
    name = "server",
    sortOptions = false,
    customSynopsis = "fieldstone tunnel server (--to udp://HOST:PORT | --tun NAME) [OPTION]...",
    description = {
      "Wait for clients of a tunnel, until the command is stopped.",
      "",
      "With --to, all clients reach one UDP port. With --tun, one client at a time exchanges"
          + " packets with a TUN device of this host. When it is ready, the command prints its"
          + " address and fingerprint; then a line a second.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone tunnel server --to udp://127.0.0.1:51820",
      "  fieldstone tunnel server --tun fst0 --address 10.9.0.1/24 --token-file token",
    })
final class TunnelServerCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @ArgGroup(multiplicity = "1", order = 0)
  private End end = new End();

  /** The UDP port or the TUN device that clients reach. */
  static final class End extends TunOptions.Device {
    @Option(
        names = "--to",
        paramLabel = "udp://HOST:PORT",
        converter = LiveAddress.Converter.class,
        description = "UDP port that clients reach.")
    private Optional<LiveAddress> to = Optional.empty();
  }

  @Mixin private TunOptions device = new TunOptions();

  @Mixin private ListenOptions listening = new ListenOptions();

  @Mixin private NetOptions net = new NetOptions();

  @Override
  public Integer call() throws IOException, Failure {
    Session session = Session.of(spec);
    if (end.to.isPresent() && end.to.get().udp().isEmpty()) {
      throw session.usage("--to: '%s' is not udp://HOST:PORT".formatted(end.to.get()));
    }
    EndpointSettings settings = listening.settings(session, net, 1);
    try (Engine engine = session.openCores();
        OutOfMemoryEnd _ = OutOfMemoryEnd.install();
        TunnelServer server = start(session, engine, settings);
        LiveLines _ =
            LiveLines.start(
                session, false, () -> TunnelLine.of(server.clients(), server.statistics()))) {
      ListenOptions.printReady(
          session,
          "tunnel to " + end.tun().orElseGet(() -> String.valueOf(end.to.orElseThrow())),
          server.address(),
          server.fingerprint(),
          server.httpAddress());
      device.dropRights();
      new CountDownLatch(1).await();
      return ExitCode.OK;
    } catch (InterruptedException e) {
      // Stopped by a signal, which decides the exit status.
      return ExitCode.OK;
    }
  }

  private TunnelServer start(Session session, Engine engine, EndpointSettings settings)
      throws IOException {
    if (end.tun().isEmpty()) {
      return TunnelServer.toUdp(engine, settings, end.to.orElseThrow().resolved());
    }
    TunDevice opened = device.open(session, end.tun().get());
    try {
      return TunnelServer.toTun(engine, settings, opened);
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }
}
