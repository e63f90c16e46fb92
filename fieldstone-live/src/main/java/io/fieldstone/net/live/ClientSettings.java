package io.fieldstone.net.live;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.peers.KnownServers;
import io.fieldstone.net.trust.Fingerprint;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The settings that all clients of live servers share.
 *
 * @param servers the servers, of which one is used at a time; the next if it fails
 * @param trusted the fingerprints to accept; if empty, servers are trusted on first use
 * @param state the folder of known servers
 * @param token authorizes the client; may be empty
 */
public record ClientSettings(
    List<InetSocketAddress> servers, List<Fingerprint> trusted, Path state, String token) {

  /** The maximum number of servers. */
  public static final int MAX_SERVERS = 16;

  /**
   * Checks the number of servers.
   *
   * @throws IllegalArgumentException if it is not in 1…{@value #MAX_SERVERS}
   */
  public ClientSettings {
    servers = List.copyOf(servers);
    trusted = List.copyOf(trusted);
    if (servers.isEmpty() || servers.size() > MAX_SERVERS) {
      throw new IllegalArgumentException(
          "%d servers: want 1 to %d".formatted(servers.size(), MAX_SERVERS));
    }
  }

  /** Returns settings that trust a server on first use. */
  public static ClientSettings of(InetSocketAddress server, Path state) {
    return new ClientSettings(List.of(server), List.of(), state, "");
  }

  /** Returns these settings with fingerprints to trust. */
  public ClientSettings withTrusted(List<Fingerprint> value) {
    return new ClientSettings(servers, value, state, token);
  }

  /** Returns what the dashboard shows of a client with these settings. */
  Snapshot.Self self(String role, Engine engine) {
    String from = servers.stream().map(KnownServers::name).collect(Collectors.joining(", "));
    return Snapshot.Self.of(
        role, from, "", engine.description(), new Snapshot.Pace(Long.MAX_VALUE, false));
  }

  /** Returns these settings with a token. */
  public ClientSettings withToken(String value) {
    return new ClientSettings(servers, trusted, state, value);
  }
}
