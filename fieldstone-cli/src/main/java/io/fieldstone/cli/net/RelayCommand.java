package io.fieldstone.cli.net;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.Session;
import io.fieldstone.engine.Engine;
import io.fieldstone.net.relay.Relay;
import io.fieldstone.net.relay.RelaySettings;
import io.fieldstone.net.trust.KnownServers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** Runs {@code fieldstone relay}: offers clients what servers and other relays have. */
@Command(
    name = "relay",
    sortOptions = false,
    customSynopsis = "fieldstone relay --from HOST:PORT[,...] [OPTION]...",
    description = {
      "Offer the files of servers and other relays, until the command is stopped.",
      "",
      "The relay fetches what its clients ask for, verifies each generation, keeps it in the folder"
          + " of --state, and sends it on. With --immediate it also recodes blocks of generations"
          + " that it has not verified: for relays of one owner.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone relay --from a.example:4433",
      "  fieldstone relay --from a.example:4433,b.example:4433 --listen 0.0.0.0:4434 --cache 20G",
    })
public final class RelayCommand implements Callable<Integer> {

  private static final long MIN_BYTES = 1 << 20;
  private static final long MAX_BYTES = 1L << 50;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private SourceOptions sources = new SourceOptions();

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = "0.0.0.0:4433",
      converter = Converters.Address.class,
      description = "Address to listen on; port 0 chooses one (default: ${DEFAULT-VALUE}).")
  private InetSocketAddress listen = InetSocketAddress.createUnresolved("0.0.0.0", 4433);

  @Option(
      names = "--immediate",
      description = "Recode blocks before their generation is verified; for relays of one owner.")
  private boolean isImmediate;

  @Mixin private NetOptions net = new NetOptions();

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "256MiB",
      converter = Converters.Size.class,
      description = "Memory for generations (default: ${DEFAULT-VALUE}).")
  private long memory;

  @Option(
      names = "--cache",
      paramLabel = "SIZE",
      defaultValue = "4GiB",
      converter = Converters.Size.class,
      description = "Disk space for verified generations (default: ${DEFAULT-VALUE}).")
  private long cache;

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      converter = Converters.Address.class,
      description = "Offer /metrics (Prometheus) and /status (JSON) over HTTP on this address.")
  private @Nullable InetSocketAddress http;

  @Override
  public Integer call() throws IOException, InterruptedException, Failure {
    Session session = Session.of(spec);
    RelaySettings settings = settings(session);
    try (Engine engine = session.openEngine();
        Relay relay = Relay.start(engine, settings)) {
      session.streams().out().println(ready(session, relay));
      session.streams().out().flush();
      session.streams().requireWritten();
      relay.awaitEnd();
      return ExitCode.OK;
    } catch (InterruptedException e) {
      // Stopped by a signal, which decides the exit status.
      return ExitCode.OK;
    }
  }

  private RelaySettings settings(Session session) throws IOException, Failure {
    requireSize("--memory", memory);
    requireSize("--cache", cache);
    return RelaySettings.of(sources.servers(spec, RelaySettings.MAX_SOURCES), net.state())
        .withListen(listen)
        .withTrusted(sources.trusted(spec))
        .withToken(net.token())
        .withImmediate(isImmediate)
        .withBytes(memory, cache)
        .withPacing(net.bytesPerSecond(), net.isCubic())
        .withThreads(session.threads())
        .withHttp(Optional.ofNullable(http));
  }

  private void requireSize(String option, long bytes) {
    if (bytes < MIN_BYTES || bytes > MAX_BYTES) {
      throw Converters.usage(
          spec, "%s %d is not in %d…%d".formatted(option, bytes, MIN_BYTES, MAX_BYTES));
    }
  }

  private static String ready(Session session, Relay relay) {
    String address = KnownServers.name(relay.address());
    String fingerprint = relay.fingerprint().toString();
    if (session.isJson()) {
      return JsonMapper.shared().writeValueAsString(new Ready(address, fingerprint));
    }
    int files = relay.catalogue().size();
    return "relaying %d %s on %s, fingerprint %s"
        .formatted(files, files == 1 ? "file" : "files", address, fingerprint);
  }

  /** The line that {@code --json} prints. */
  private record Ready(String listen, String fingerprint) {}
}
