package io.fieldstone.cli.net;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.net.live.ClientSettings;
import io.fieldstone.net.trust.Fingerprint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of commands that fetch from servers and relays. */
final class SourceOptions {

  @Option(
      names = "--from",
      paramLabel = "HOST[:PORT]",
      required = true,
      split = ",",
      converter = Converters.PeerAddress.class,
      description = "Addresses of servers and relays; the port is 4433 if none is named.")
  private List<InetSocketAddress> servers = List.of();

  @Option(
      names = "--trust",
      paramLabel = "FINGERPRINT",
      split = ",",
      description =
          "Fingerprints of the servers to trust, as serve prints them; others are refused.")
  private List<String> trust = List.of();

  /** Returns the addresses, of which there are at most {@code max}. */
  List<InetSocketAddress> servers(CommandSpec spec, int max) {
    if (servers.size() > max) {
      throw Converters.usage(
          spec, "--from: %d servers; the maximum is %d".formatted(servers.size(), max));
    }
    return servers;
  }

  /** Returns the fingerprints; none if servers are trusted on first use. */
  List<Fingerprint> trusted(CommandSpec spec) {
    List<Fingerprint> trusted = new ArrayList<>();
    for (String text : trust) {
      try {
        trusted.add(Fingerprint.parse(text));
      } catch (IllegalArgumentException e) {
        throw Converters.usage(spec, "--trust: " + e.getMessage());
      }
    }
    return trusted;
  }

  /** Returns the settings of a client of live servers. */
  ClientSettings client(CommandSpec spec, ClientOptions options) throws IOException, Failure {
    return new ClientSettings(
        servers(spec, ClientSettings.MAX_SERVERS), trusted(spec), options.state(), options.token());
  }
}
