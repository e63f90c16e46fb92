package io.fieldstone.net.browser;

import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.carrier.Listener;
import io.fieldstone.net.trust.BrowserCertificates;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.function.Function;

/**
 * The page for browsers, WebTransport on the same port of UDP, and streams of HTTP for browsers
 * that no UDP reaches. Thread-safe.
 */
public final class BrowserEndpoint implements AutoCloseable {

  private final BrowserPages pages;
  private final HttpStreams streams;
  private final Listener listener;

  /** What an endpoint has for browsers. */
  public enum Content {
    /** Files, by the protocol of docs/network.md. */
    FILES,
    /** A live stream, by the protocol of docs/live.md. */
    STREAM
  }

  private BrowserEndpoint(BrowserPages pages, HttpStreams streams, Listener listener) {
    this.pages = pages;
    this.streams = streams;
    this.listener = listener;
  }

  /**
   * Begins to listen.
   *
   * @param address the address, resolved. Port 0 chooses one, and that of UDP may be another
   * @param content what browsers find there
   * @param isShared true if pages of other sites may open streams, because sessions need a token
   * @param accept gives the handler of each connection, on its loop
   * @throws BindException if the address is in use, by TCP or UDP
   */
  public static BrowserEndpoint open(
      Carrier carrier,
      InetSocketAddress address,
      Content content,
      boolean isShared,
      Function<Connection, ConnectionHandler> accept)
      throws IOException {
    return open(
        carrier,
        address,
        new BrowserCertificates(InstantSource.system()),
        content,
        isShared,
        accept);
  }

  /** Begins to listen with certificates whose clock may be that of a test. */
  static BrowserEndpoint open(
      Carrier carrier,
      InetSocketAddress address,
      BrowserCertificates certificates,
      Content content,
      boolean isShared,
      Function<Connection, ConnectionHandler> accept)
      throws IOException {
    HttpStreams streams = new HttpStreams(carrier.loops(), accept);
    BrowserPages pages = new BrowserPages(address, certificates, streams, content, isShared);
    try {
      Listener listener = listen(carrier, address, pages.address(), certificates, accept);
      pages.start(listener.localAddress().getPort());
      return new BrowserEndpoint(pages, streams, listener);
    } catch (IOException | RuntimeException e) {
      pages.close();
      throw e;
    }
  }

  private static Listener listen(
      Carrier carrier,
      InetSocketAddress wanted,
      InetSocketAddress ofPages,
      BrowserCertificates certificates,
      Function<Connection, ConnectionHandler> accept)
      throws IOException {
    try {
      return carrier.listenForBrowsers(ofPages, certificates, accept);
    } catch (BindException e) {
      if (wanted.getPort() != 0) {
        throw e;
      }
      // The port that was free for TCP is in use for UDP.
      return carrier.listenForBrowsers(wanted, certificates, accept);
    }
  }

  /** Returns the address of the page, with the port that was chosen. */
  public InetSocketAddress address() {
    return pages.address();
  }

  @Override
  public void close() {
    streams.close();
    pages.close();
    listener.close();
  }
}
