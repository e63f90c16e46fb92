package io.fieldstone.net.endpoint;

import io.fieldstone.net.trust.Fingerprint;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/** A server or relay, which offers objects until it is closed. Thread-safe. */
public interface Endpoint extends AutoCloseable {

  /** Returns the address, with the port that was chosen. */
  InetSocketAddress address();

  /**
   * Returns the address of the status over HTTP, with the port that was chosen, if there is one.
   */
  Optional<InetSocketAddress> httpAddress();

  /** Returns the address of the page for browsers, with the port that was chosen, if any. */
  Optional<InetSocketAddress> browserAddress();

  /** Returns the fingerprint by which clients know this endpoint. */
  Fingerprint fingerprint();

  /** Returns the objects offered. */
  List<CatalogueEntry> catalogue();

  /** Waits until the endpoint is closed. */
  void awaitEnd() throws InterruptedException;

  /** Closes the connections of the clients with the reason that the endpoint stops, and ends. */
  @Override
  void close();
}
