package io.fieldstone.net.fetch;

import io.fieldstone.net.peers.ServerTrust;
import io.fieldstone.net.session.HostLookup;
import io.fieldstone.net.session.Routes;
import io.fieldstone.net.trust.Fingerprint;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * What is known of the servers of one or more transfers: which to trust, and their addresses. Those
 * of several transfers look a host up once, and read the files of the state once for each
 * connection. Thread-safe.
 */
final class Peers {

  private final ServerTrust trust;
  private final boolean areShared;
  private final Map<InetSocketAddress, List<InetSocketAddress>> resolved =
      new ConcurrentHashMap<>();

  /** The servers that were trusted, each with its fingerprint; unknown ones are remembered. */
  private final Set<Known> trusted = ConcurrentHashMap.newKeySet();

  /** The addresses to which the system has a route. */
  private final Set<List<InetSocketAddress>> routed = ConcurrentHashMap.newKeySet();

  private final Set<Known> remembered = ConcurrentHashMap.newKeySet();

  private record Known(String server, Fingerprint fingerprint) {}

  /**
   * Knows nothing yet.
   *
   * @param areShared whether several transfers use this, which live about as long as their
   *     connections
   */
  Peers(FetchSettings settings, boolean areShared) {
    this.trust = new ServerTrust(settings.trusted(), settings.state());
    this.areShared = areShared;
  }

  /** Looks a host up, as {@link HostLookup#start}; calls at once if its addresses are known. */
  void lookUp(InetSocketAddress address, Consumer<List<InetSocketAddress>> found) {
    List<InetSocketAddress> known = resolved.get(address);
    if (known != null) {
      found.accept(known);
      return;
    }
    HostLookup.start(
        address,
        addresses -> {
          if (areShared && !addresses.isEmpty()) {
            resolved.put(address, addresses);
          }
          found.accept(addresses);
        });
  }

  /**
   * Returns why no packet can be sent to a server, as {@link Routes#problem(List)}. Transfers that
   * share connections ask the system once while it has a route.
   */
  Optional<String> routeProblem(List<InetSocketAddress> addresses) {
    if (routed.contains(addresses)) {
      return Optional.empty();
    }
    Optional<String> problem = Routes.problem(addresses);
    if (areShared && problem.isEmpty()) {
      routed.add(addresses);
    }
    return problem;
  }

  /** Returns why a fingerprint is not trusted; empty if it is. */
  Optional<String> problem(String server, Fingerprint fingerprint) {
    Known known = new Known(server, fingerprint);
    if (trusted.contains(known)) {
      return Optional.empty();
    }
    Optional<String> problem = trust.problem(server, fingerprint);
    if (areShared && problem.isEmpty()) {
      trusted.add(known);
    }
    return problem;
  }

  /** Remembers a server that was used for the first time. */
  void remember(String server, Fingerprint fingerprint) {
    Known known = new Known(server, fingerprint);
    if (!areShared || remembered.add(known)) {
      trust.remember(server, fingerprint);
    }
  }

  /** Convicts a sender of wrong blocks, as {@link ServerTrust#convict}. */
  boolean convict(String server, Optional<Fingerprint> identity, String reason, boolean isProof) {
    trusted.removeIf(known -> identity.filter(known.fingerprint::equals).isPresent());
    return trust.convict(server, identity, reason, isProof);
  }
}
