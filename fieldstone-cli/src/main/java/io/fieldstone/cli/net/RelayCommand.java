package io.fieldstone.cli.net;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.StartUp;
import io.fieldstone.engine.Engine;
import io.fieldstone.net.live.ClientSettings;
import io.fieldstone.net.live.StreamRelay;
import io.fieldstone.net.relay.Relay;
import io.fieldstone.net.relay.RelaySettings;
import io.fieldstone.net.server.ServerSettings;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone relay}: offers clients what servers and other relays have. */
@StartUp(StartUp.Profile.SERVICE)
@Command(
    name = "relay",
    sortOptions = false,
    customSynopsis = "fieldstone relay --from HOST:PORT[,...] [OPTION]...",
    description = {
      "Offer the files of servers and other relays, until the command is stopped.",
      "",
      "The relay fetches what its clients ask for and what follows, verifies each generation, keeps"
          + " it in the folder of --state, and sends it on. With --immediate it also passes on"
          + " blocks of generations that it has not verified: for relays of one owner.",
      "",
      "With --stream it passes on a live stream of 'fieldstone stream send': lost packets are"
          + " repaired on each hop, and repairs wait for nothing.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone relay --from a.example:4433",
      "  fieldstone relay --from a.example:4433,b.example:4433 --cache 20G",
      "  fieldstone relay --stream --from a.example:4433",
    })
public final class RelayCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private SourceOptions sources = new SourceOptions();

  @Mixin private ListenOptions listening = new ListenOptions();

  @Option(
      names = "--immediate",
      description = "Pass blocks on before their generation is verified; for relays of one owner.")
  private boolean isImmediate;

  @Option(names = "--stream", description = "Pass on a live stream, and no files.")
  private boolean isStream;

  @Mixin private BrowserOption browsers = new BrowserOption();

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
      names = "--max-block-size",
      paramLabel = "SIZE",
      defaultValue = "" + RelaySettings.DEFAULT_MAX_BLOCK_SIZE,
      converter = Converters.Size.class,
      description =
          "Largest block size of files to relay; more than ${DEFAULT-VALUE}, the default, for paths"
              + " with jumbo frames.")
  private long maxBlockSize;

  @Override
  public Integer call() throws IOException, Failure {
    Session session = Session.of(spec);
    if (isStream) {
      return relayStream(session);
    }
    RelaySettings settings = settings(session);
    return ListenOptions.run(session, "relaying", engine -> Relay.start(engine, settings));
  }

  private int relayStream(Session session) throws IOException, Failure {
    if (isImmediate) {
      throw session.usage("--immediate is for files; a stream never waits");
    }
    ClientSettings upstream = sources.client(spec, net.client());
    try (Engine engine = session.openCores();
        OutOfMemoryEnd _ = OutOfMemoryEnd.install();
        StreamRelay relay =
            StreamRelay.start(
                engine,
                upstream,
                listening.settings(session, net, 1).withBrowsers(browsers.address()));
        LiveLines _ =
            LiveLines.start(
                session, false, () -> StreamSendCommand.Line.of(relay.statistics(), 0))) {
      ListenOptions.printReady(
          session,
          "relaying a stream",
          Optional.empty(),
          relay.address(),
          relay.fingerprint(),
          relay.httpAddress(),
          relay.browserAddress());
      relay.awaitEnd();
      return ExitCode.OK;
    } catch (InterruptedException e) {
      // Stopped by a signal, which decides the exit status.
      return ExitCode.OK;
    }
  }

  private RelaySettings settings(Session session) throws IOException, Failure {
    ListenOptions.requireSize(spec, "--memory", memory);
    ListenOptions.requireSize(spec, "--cache", cache);
    int blockBytes =
        Converters.requireSizeInRange(
            spec, "--max-block-size", maxBlockSize, 1, ServerSettings.MAX_BLOCK_SIZE);
    return RelaySettings.of(
            sources.servers(spec, RelaySettings.MAX_SOURCES),
            listening.settings(session, net, memory).withBrowsers(browsers.address()))
        .withTrusted(sources.trusted(spec))
        .withImmediate(isImmediate)
        .withCacheBytes(cache)
        .withMaxBlockSize(blockBytes);
  }
}
