package io.fieldstone.cli.net;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Session;
import io.fieldstone.net.dashboard.StatusPages;
import io.fieldstone.net.peers.KnownServers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --http} of all commands of a network. */
final class PagesOption {

  @Option(
      names = "--http",
      order = 1, // after the options of the command itself
      paramLabel = "HOST:PORT",
      converter = Converters.Address.class,
      description =
          "Show a dashboard over HTTP on this address, with /metrics (Prometheus) and /status"
              + " (JSON); port 0 chooses one. An address that other hosts reach needs"
              + " --token-file.")
  private @Nullable InetSocketAddress address;

  /** Opens the pages of a client. */
  interface Opening {
    StatusPages at(InetSocketAddress address) throws IOException;
  }

  /** The pages of a client, while they are open. */
  record Open(Optional<StatusPages> pages) implements AutoCloseable {
    @Override
    public void close() {
      pages.ifPresent(StatusPages::close);
    }
  }

  Optional<InetSocketAddress> address() {
    return Optional.ofNullable(address);
  }

  /**
   * Opens the pages of a client if they are wanted, and says on standard error where they are,
   * unless {@code --quiet} is given.
   */
  Open open(Session session, Opening opening) throws IOException {
    if (address == null) {
      return new Open(Optional.empty());
    }
    StatusPages pages = opening.at(address);
    session.inform("dashboard on http://" + KnownServers.name(pages.address()));
    return new Open(Optional.of(pages));
  }
}
