package io.fieldstone.net.carrier;

import io.fieldstone.net.trust.BrowserCertificates;
import io.fieldstone.net.trust.Fingerprint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;

/** An endpoint that listens and connects. Thread-safe. */
public interface Carrier extends AutoCloseable {

  /**
   * The time from an attempt to connect to the next, whether that is to the same address or another
   * one (RFC 8305, section 5). With the four round trips of a new connection, data passes within a
   * round trip and a second after a path of 200 ms is back.
   */
  long NEXT_ATTEMPT_NANOS = 250_000_000L;

  /**
   * Listens for connections.
   *
   * @param address where to listen; port 0 chooses a free one
   * @param accept gives the handler of each connection, on its loop, once its handshake is
   *     complete; connections are spread over the loops
   * @throws java.net.BindException if the address cannot be bound; the message names it
   * @throws IOException if the socket cannot be opened
   */
  Listener listen(InetSocketAddress address, Function<Connection, ConnectionHandler> accept)
      throws IOException;

  /**
   * Listens for browsers, which connect by WebTransport to {@code https://HOST:PORT/fieldstone}.
   * Their connections are as those of other clients: the first bidirectional stream of a session
   * carries the control messages, each after its length in 4 bytes.
   *
   * @param address where to listen; port 0 chooses a free one
   * @param certificates those of which a browser knows the fingerprints
   * @param accept as that of {@link #listen}
   * @throws java.net.BindException if the address cannot be bound; the message names it
   * @throws IOException if the socket cannot be opened
   */
  Listener listenForBrowsers(
      InetSocketAddress address,
      BrowserCertificates certificates,
      Function<Connection, ConnectionHandler> accept)
      throws IOException;

  /**
   * Connects to a listener. The future completes on the connection's loop, after {@link
   * ConnectionHandler#opened}. If no connection comes about, it fails with a {@link
   * ConnectFailedException}, and the handler is not called.
   *
   * @param remote the address of the listener
   * @param trusted whether the certificate with this fingerprint is that of the wanted peer; called
   *     on the loop, before anything is sent
   * @param handler what reacts to the connection
   */
  default CompletableFuture<Connection> connect(
      InetSocketAddress remote, Predicate<Fingerprint> trusted, ConnectionHandler handler) {
    return connect(List.of(remote), trusted, handler);
  }

  /**
   * Connects to the first address of a listener that answers. Each is tried a quarter of a second
   * after the one before, or once that has failed. If none answers, the exception is the most
   * specific one of all addresses.
   *
   * @param remotes the addresses of the listener, at least one. One that is named several times is
   *     tried again {@link #NEXT_ATTEMPT_NANOS} after the attempt before, so that a path that comes
   *     back is found soon
   */
  CompletableFuture<Connection> connect(
      List<InetSocketAddress> remotes, Predicate<Fingerprint> trusted, ConnectionHandler handler);

  /** Returns the loops, at least one. If it is the only one, it serves all connections. */
  List<Loop> loops();

  /**
   * Closes all listeners and connections, with a message to their peers, and waits for the loops to
   * end, for a few seconds at most. Not to be called on a loop.
   */
  @Override
  void close();
}
