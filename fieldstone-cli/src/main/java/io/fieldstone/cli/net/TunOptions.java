package io.fieldstone.cli.net;

import io.fieldstone.cli.console.Session;
import io.fieldstone.net.live.Privileges;
import io.fieldstone.net.live.TunDevice;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of a TUN device. */
final class TunOptions {

  @Option(
      names = "--address",
      paramLabel = "ADDRESS/BITS",
      description = "Address of this host in the tunnel, such as 10.9.0.1/24, for --tun.")
  private Optional<String> address = Optional.empty();

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "User as which the command goes on once the TUN device is open.")
  private Optional<String> user = Optional.empty();

  /** Opens a device. */
  TunDevice open(Session session, String name) throws IOException {
    try {
      return TunDevice.open(name, address.orElse(""));
    } catch (IllegalArgumentException e) {
      throw session.usage("--tun: " + e.getMessage());
    }
  }

  /** Goes on as the user of {@code --user}, once all is open that needs more rights. */
  void dropRights() throws IOException {
    if (user.isPresent()) {
      Privileges.drop(user.get());
    }
  }
}
