package io.fieldstone.net.fetch;

import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.net.trust.KnownServers;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether the fingerprint of a server is right: one of a list, or that of its first use.
 * Thread-safe.
 */
final class ServerTrust {

  private final List<Fingerprint> trusted;
  private final KnownServers known;

  ServerTrust(List<Fingerprint> trusted, KnownServers known) {
    this.trusted = trusted;
    this.known = known;
  }

  /** Returns why a fingerprint is not trusted; empty if it is. */
  Optional<String> problem(String server, Fingerprint fingerprint) {
    if (!trusted.isEmpty()) {
      return trusted.contains(fingerprint)
          ? Optional.empty()
          : Optional.of("its fingerprint %s is not trusted (--trust)".formatted(fingerprint));
    }
    try {
      return known
          .find(server)
          .filter(before -> !before.equals(fingerprint))
          .map(before -> known.changed(server, before, fingerprint));
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** Remembers a server that was used for the first time. */
  void remember(String server, Fingerprint fingerprint) throws IOException {
    if (trusted.isEmpty()) {
      known.remember(server, fingerprint);
    }
  }
}
