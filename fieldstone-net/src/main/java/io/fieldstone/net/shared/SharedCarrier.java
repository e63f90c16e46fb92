package io.fieldstone.net.shared;

import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.carrier.Listener;
import io.fieldstone.net.carrier.Loop;
import io.fieldstone.net.trust.BrowserCertificates;
import io.fieldstone.net.trust.Fingerprint;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A carrier whose connections to one server share one connection of another carrier, so that many
 * small objects cost one handshake. For receivers, all of which have the same token. Thread-safe.
 */
public final class SharedCarrier implements Carrier {

  private final Carrier carrier;
  private final Map<Set<InetSocketAddress>, SharedConnection> connections = new HashMap<>();

  /**
   * Shares the connections of a carrier.
   *
   * @param carrier connects; the caller closes it
   */
  public SharedCarrier(Carrier carrier) {
    this.carrier = carrier;
  }

  @Override
  public CompletableFuture<Connection> connect(
      List<InetSocketAddress> remotes, Predicate<Fingerprint> trusted, ConnectionHandler handler) {
    SharedConnection shared;
    boolean isNew;
    synchronized (connections) {
      Set<InetSocketAddress> key = Set.copyOf(remotes);
      SharedConnection known = connections.get(key);
      isNew = known == null || known.isUseless();
      if (known != null && !isNew) {
        shared = known;
      } else {
        if (known != null) {
          known.replace();
        }
        shared = new SharedConnection();
        connections.put(key, shared);
      }
    }
    if (isNew) {
      shared.connect(carrier, remotes, trusted);
    }
    return shared.join(trusted, handler);
  }

  @Override
  public List<Loop> loops() {
    return carrier.loops();
  }

  @Override
  public Listener listen(
      InetSocketAddress address, Function<Connection, ConnectionHandler> accept) {
    throw new UnsupportedOperationException("receivers do not listen");
  }

  @Override
  public Listener listenForBrowsers(
      InetSocketAddress address,
      BrowserCertificates certificates,
      Function<Connection, ConnectionHandler> accept) {
    throw new UnsupportedOperationException("receivers do not listen");
  }

  /** Does nothing: the caller closes the carrier whose connections are shared. */
  @Override
  public void close() {}
}
