package io.fieldstone.cli.net;

import io.fieldstone.cli.console.Converters;
import java.net.InetSocketAddress;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option of commands that browsers reach. */
final class BrowserOption {

  @Option(
      names = "--browsers",
      order = 1, // after the options of the command itself
      paramLabel = "HOST:PORT",
      converter = Converters.Address.class,
      description =
          "Let browsers receive, too: a page on this address, and WebTransport on the same port of"
              + " UDP; port 0 chooses one. Browsers receive on pages of a loopback address, or of a"
              + " site with HTTPS.")
  private Optional<InetSocketAddress> address = Optional.empty();

  Optional<InetSocketAddress> address() {
    return address;
  }
}
