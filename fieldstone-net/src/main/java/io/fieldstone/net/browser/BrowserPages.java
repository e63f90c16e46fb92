package io.fieldstone.net.browser;

import static io.fieldstone.web.http.PageServer.TEXT;
import static io.fieldstone.web.http.PageServer.send;

import com.sun.net.httpserver.HttpExchange;
import io.fieldstone.net.trust.BrowserCertificates;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.web.WebFiles;
import io.fieldstone.web.http.HttpAccess;
import io.fieldstone.web.http.PageServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.stream.Collectors;

/**
 * Offers over HTTP what a browser needs to receive objects: the page, its modules, and at {@code
 * /server.json} the port of WebTransport with the fingerprints of its certificates. Thread-safe.
 *
 * <p>Everyone may load the page; who may read objects is decided by the greeting of the session.
 * Browsers have WebTransport only on pages from a loopback address or over HTTPS.
 */
final class BrowserPages implements AutoCloseable {

  /** The kernels are WebAssembly. Servers of other hosts are reached by WebTransport. */
  private static final String CONTENT_POLICY =
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';"
          + " img-src 'self'; connect-src 'self' https:; worker-src 'self'; media-src blob:;"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'; trusted-types fieldstone";

  private static final String PAGE = "receive.html";

  private final BrowserCertificates certificates;
  private final HttpStreams streams;
  private final BrowserEndpoint.Content content;
  private final boolean isShared;
  private final ScheduledThreadPoolExecutor timer = PageServer.timer("fieldstone-pages");
  private final PageServer server;
  private volatile int webTransportPort;

  /**
   * Binds an address. Requests are answered after {@link #start}.
   *
   * @param address the address, resolved; port 0 chooses one
   * @param certificates those of the listener for browsers
   * @param streams the connections that no UDP reaches
   * @param content what sessions have
   * @param isShared true if pages of other sites may connect, because sessions need a token
   * @throws java.net.BindException if the address cannot be bound
   */
  BrowserPages(
      InetSocketAddress address,
      BrowserCertificates certificates,
      HttpStreams streams,
      BrowserEndpoint.Content content,
      boolean isShared)
      throws IOException {
    this.certificates = certificates;
    this.streams = streams;
    this.content = content;
    this.isShared = isShared;
    server = new PageServer(address, CONTENT_POLICY, timer, this::answer);
  }

  /**
   * Begins to answer.
   *
   * @param port the UDP port on which WebTransport listens
   */
  void start(int port) {
    webTransportPort = port;
    server.start();
  }

  /** Returns the address, with the port that was chosen. */
  InetSocketAddress address() {
    return server.address();
  }

  private void answer(HttpExchange exchange, ScheduledFuture<?> deadline) throws IOException {
    if (HttpAccess.isForOtherHost(exchange, server.address())) {
      send(exchange, 421, TEXT, "the header Host does not name this address\n");
      return;
    }
    if (isShared) {
      exchange.getResponseHeaders().set("Access-Control-Allow-Origin", "*");
    }
    String path = exchange.getRequestURI().getPath().substring(1);
    if (path.startsWith(HttpStreams.PATH)) {
      streams.answer(exchange, path, deadline, server);
      return;
    }
    Optional<WebFiles.WebFile> file = WebFiles.RECEIVER.read(path.isEmpty() ? PAGE : path);
    boolean isServer = path.equals("server.json");
    if (file.isEmpty() && !isServer) {
      send(exchange, 404, TEXT, "no such page\n");
    } else if (!exchange.getRequestMethod().equals("GET")) {
      exchange.getResponseHeaders().set("Allow", "GET");
      send(exchange, 405, TEXT, "only GET is answered\n");
    } else if (isServer) {
      send(exchange, 200, "application/json", serverJson());
    } else {
      send(exchange, 200, file.get().type(), file.get().content());
    }
  }

  /** Returns where WebTransport listens, and the fingerprints that a browser must accept. */
  private String serverJson() {
    String hashes =
        certificates.fingerprints().stream()
            .map(Fingerprint::hex)
            .map("\"%s\""::formatted)
            .collect(Collectors.joining(","));
    return "{\"port\":%d,\"certificateHashes\":[%s],\"streamUrl\":\"%s\",\"content\":\"%s\"}\n"
        .formatted(
            webTransportPort, hashes, HttpStreams.PATH, content.name().toLowerCase(Locale.ROOT));
  }

  @Override
  public void close() {
    server.close();
    timer.shutdownNow();
  }
}
