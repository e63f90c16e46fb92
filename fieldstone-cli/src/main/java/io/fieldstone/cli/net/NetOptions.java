package io.fieldstone.cli.net;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that {@code serve} and {@code fetch} share. */
final class NetOptions {

  /** The values of {@code --cc}. */
  enum Controller {
    fieldstone,
    cubic
  }

  @Mixin private ClientOptions client = new ClientOptions();

  @Option(
      names = "--rate",
      paramLabel = "RATE",
      converter = Converters.Rate.class,
      description =
          "Maximum rate, such as 40Mbit, 1.5Gbit or 10MB a second (default: none). A server or"
              + " relay bounds each connection, a fetch all of them together.")
  private long rate = Long.MAX_VALUE;

  @Option(
      names = "--cc",
      paramLabel = "NAME",
      defaultValue = "fieldstone",
      description =
          "Congestion control: one of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})."
              + " fieldstone is not slowed by random loss.")
  private Controller controller = Controller.fieldstone;

  /** Returns the options that all peers have. */
  ClientOptions client() {
    return client;
  }

  /** Returns the folder of the state. */
  Path state() throws Failure {
    return client.state();
  }

  /** Returns the file of the token, if there is one. */
  Optional<Path> tokenFile() {
    return client.tokenFile();
  }

  /** Returns the token; empty without {@code --token-file}. */
  String token() throws IOException, Failure {
    return client.token();
  }

  /** Returns the maximum rate in bytes per second; {@link Long#MAX_VALUE} for none. */
  long bytesPerSecond() {
    return rate;
  }

  boolean isCubic() {
    return controller == Controller.cubic;
  }
}
