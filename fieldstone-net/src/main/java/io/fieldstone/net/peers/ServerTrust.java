package io.fieldstone.net.peers;

import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.stream.file.FileProblem;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides whether the fingerprint of a server is right: one of a list, or that of its first use,
 * and not one that is banned. Thread-safe.
 */
public final class ServerTrust {

  private static final Logger LOGGER = System.getLogger(ServerTrust.class.getName());

  private final List<Fingerprint> trusted;
  private final KnownServers known;
  private final BannedPeers banned;

  /** The servers whose fingerprints could not be remembered, each of which is logged once. */
  private final Set<String> forgotten = ConcurrentHashMap.newKeySet();

  /**
   * Creates the trust of a client.
   *
   * @param trusted the fingerprints to accept; if empty, servers are trusted on first use
   * @param state the folder of the client's state
   */
  public ServerTrust(List<Fingerprint> trusted, Path state) {
    this.trusted = List.copyOf(trusted);
    this.known = new KnownServers(state);
    this.banned = new BannedPeers(state);
  }

  /** Returns why a fingerprint is not trusted; empty if it is. */
  public Optional<String> problem(String server, Fingerprint fingerprint) {
    try {
      Optional<String> ban = banned.find(fingerprint);
      if (ban.isPresent()) {
        return ban;
      }
      if (!trusted.isEmpty()) {
        return trusted.contains(fingerprint)
            ? Optional.empty()
            : Optional.of("its fingerprint %s is not trusted (--trust)".formatted(fingerprint));
      }
      return known
          .find(server)
          .filter(before -> !before.equals(fingerprint))
          .map(before -> known.changed(before, fingerprint));
    } catch (IOException e) {
      return Optional.of(FileProblem.text(e));
    }
  }

  /** Remembers a server that was used for the first time. Logs once if it cannot be remembered. */
  public void remember(String server, Fingerprint fingerprint) {
    if (!trusted.isEmpty()) {
      return;
    }
    try {
      known.remember(server, fingerprint);
    } catch (IOException e) {
      if (forgotten.add(server)) {
        LOGGER.log(
            Level.WARNING,
            "cannot remember the fingerprint of {0}: {1}",
            server,
            FileProblem.text(e));
      }
    }
  }

  /**
   * Convicts a sender of wrong blocks, which is banned if its guilt is proved and its identity is
   * known. A ban that cannot be written is logged, and holds as long as this object.
   *
   * @param server its address, as a user writes it
   * @param reason what it did, as the end of a sentence that begins with "it"
   * @return true if it is banned
   */
  public boolean convict(
      String server, Optional<Fingerprint> identity, String reason, boolean isProof) {
    boolean isBanned = isProof && identity.isPresent();
    if (isBanned) {
      try {
        banned.ban(identity.get(), reason, Instant.now());
      } catch (IOException e) {
        LOGGER.log(
            Level.WARNING, "cannot remember that {0} is banned: {1}", server, FileProblem.text(e));
      }
    }
    return isBanned;
  }
}
