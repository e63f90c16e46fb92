package io.fieldstone.net.dashboard;

import static io.fieldstone.web.http.PageServer.TEXT;
import static io.fieldstone.web.http.PageServer.send;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.fieldstone.net.peers.AccessToken;
import io.fieldstone.net.peers.KnownServers;
import io.fieldstone.web.WebFiles;
import io.fieldstone.web.http.EventStream;
import io.fieldstone.web.http.HttpAccess;
import io.fieldstone.web.http.PageServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Supplier;

/**
 * Answers over HTTP: the dashboard at {@code /} with its server-sent events at {@code /events},
 * {@code /metrics} for Prometheus, and {@code /status}.
 *
 * <p>{@link PageServer} bounds times, those of each event too, and connections. {@link HttpAccess}
 * decides who gets an answer. Thread-safe.
 */
public final class StatusPages implements AutoCloseable {

  /** Nothing is loaded from elsewhere or from the page itself, and no text becomes markup. */
  private static final String CONTENT_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'; trusted-types 'none'";

  private final Metrics metrics;
  private final PageServer server;
  private final HttpAccess access;
  private final EventStream events;

  /** Makes events, and ends answers that take too long. */
  private final ScheduledThreadPoolExecutor timer = PageServer.timer("fieldstone-dashboard");

  /**
   * Starts to answer.
   *
   * @param address the address, resolved; port 0 chooses one
   * @param token what requests must have if the address is not loopback
   * @param metrics the numbers of {@code /metrics} and {@code /status}
   * @param snapshots gives what the dashboard shows; called on a thread of its own
   * @throws IOException if the address cannot be bound, or needs a token and has none
   */
  public StatusPages(
      InetSocketAddress address, String token, Metrics metrics, Supplier<Snapshot> snapshots)
      throws IOException {
    if (HttpAccess.needsToken(address) && token.isEmpty()) {
      throw new IOException(
          "%s is not a loopback address, and HTTP on it needs a token (--token-file)"
              .formatted(KnownServers.name(address)));
    }
    this.metrics = metrics;
    server = new PageServer(address, CONTENT_POLICY, timer, this::answer);
    access = new HttpAccess(server.address(), new AccessToken(token)::admits);
    events = new EventStream(() -> JsonText.of(snapshots.get()), timer);
    server.start();
  }

  /** Returns the address, with the port that was chosen. */
  public InetSocketAddress address() {
    return server.address();
  }

  /** Returns the number of those that listen to events. */
  int listeners() {
    return events.listeners();
  }

  private void answer(HttpExchange exchange, ScheduledFuture<?> deadline) throws IOException {
    switch (access.check(exchange)) {
      case ADMITTED -> admitted(exchange, deadline);
      case WRONG_HOST -> send(exchange, 421, TEXT, "the header Host does not name this address\n");
      case FOREIGN -> send(exchange, 403, TEXT, "a page of another site asks for this\n");
      case NO_TOKEN -> {
        exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
        send(
            exchange,
            401,
            TEXT,
            "a token is needed: open /?token=TOKEN, or send Authorization: Bearer TOKEN\n");
      }
      case TOKEN_IN_QUERY -> {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Set-Cookie", access.setCookie());
        headers.set("Location", exchange.getRequestURI().getRawPath());
        send(exchange, 303, TEXT, "the cookie has the place of the token\n");
      }
    }
  }

  private void admitted(HttpExchange exchange, ScheduledFuture<?> deadline) throws IOException {
    String path = exchange.getRequestURI().getPath();
    Optional<WebFiles.WebFile> file =
        WebFiles.DASHBOARD.read(path.equals("/") ? "index.html" : path.substring(1));
    boolean isOther =
        file.isEmpty()
            && !path.equals("/events")
            && !path.equals("/metrics")
            && !path.equals("/status");
    if (isOther) {
      send(exchange, 404, TEXT, "no such page; there are /, /metrics and /status\n");
    } else if (!exchange.getRequestMethod().equals("GET")) {
      exchange.getResponseHeaders().set("Allow", "GET");
      send(exchange, 405, TEXT, "only GET is answered\n");
    } else if (file.isPresent()) {
      send(exchange, 200, file.get().type(), file.get().content());
    } else if (path.equals("/metrics")) {
      send(exchange, 200, "text/plain; version=0.0.4", metrics.text());
    } else if (path.equals("/status")) {
      send(exchange, 200, "application/json", metrics.json());
    } else {
      sendEvents(exchange, deadline);
    }
  }

  private void sendEvents(HttpExchange exchange, ScheduledFuture<?> deadline) throws IOException {
    if (!events.join()) {
      exchange.getResponseHeaders().set("Retry-After", Integer.toString(PageServer.MAX_SECONDS));
      send(
          exchange, 503, TEXT, "%d others listen to events\n".formatted(EventStream.MAX_LISTENERS));
      return;
    }
    try {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
      exchange.sendResponseHeaders(200, 0);
      OutputStream out = exchange.getResponseBody();
      deadline.cancel(false);
      events.send(event -> server.write(out, List.of(event)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // its connection is closed with the last bytes
    } finally {
      events.leave();
    }
  }

  @Override
  public void close() {
    events.close();
    server.close();
    timer.shutdownNow();
  }
}
