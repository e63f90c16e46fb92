package io.fieldstone.cli.net;

import io.fieldstone.cli.console.Session;
import io.fieldstone.net.live.Privileges;
import io.fieldstone.net.live.TunDevice;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of a TUN device. */
final class TunOptions {

  /** The name of a device: an end of a tunnel, of which a subclass has the other kind. */
  static class Device {
    @Option(
        names = "--tun",
        paramLabel = "NAME",
        description = "TUN device of Linux, which is created if there is none of this name.")
    private Optional<String> tun = Optional.empty();

    Optional<String> tun() {
      return tun;
    }
  }

  @Option(
      names = "--address",
      paramLabel = "ADDRESS/BITS",
      split = ",",
      description =
          "Addresses of this host in the tunnel, for --tun, such as 10.9.0.1/24,fd09::1/64.")
  private List<String> addresses = List.of();

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "User as which the command goes on once the TUN device is open.")
  private Optional<String> user = Optional.empty();

  /** Opens a device. */
  TunDevice open(Session session, String name) throws IOException {
    try {
      return TunDevice.open(name, addresses);
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
