package io.fieldstone.net.dashboard;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fieldstone.net.trust.KnownServers;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Answers over HTTP: the dashboard at {@code /} with its server-sent events at {@code /events},
 * {@code /metrics} for Prometheus, and {@code /status}.
 *
 * <p>A request and an answer each have {@value #MAX_SECONDS} s, as has each event. {@value
 * #MAX_CONNECTIONS} connections may be open; more are closed at once. So clients that send half of
 * a request, or do not read, use up no descriptors of the server. {@link HttpAccess} decides who
 * gets an answer. Thread-safe.
 */
public final class StatusPages implements AutoCloseable {

  /** The maximum number of connections. */
  static final int MAX_CONNECTIONS = 64;

  /** The maximum time of a request, and of an answer, in seconds. */
  private static final int MAX_SECONDS = 5;

  static {
    // The server of the JDK reads its limits from properties, once. By default it has none.
    // Its limit of answers would end streams of events, so answers are limited here.
    limit("jdk.httpserver.maxConnections", MAX_CONNECTIONS);
    limit("sun.net.httpserver.maxReqTime", MAX_SECONDS);
    limit("sun.net.httpserver.idleInterval", 2 * MAX_SECONDS);
    limit("sun.net.httpserver.clockTick", 1000 * MAX_SECONDS);
  }

  private static void limit(String property, int value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, Integer.toString(value));
    }
  }

  /** Nothing is loaded from elsewhere or from the page itself, and no text becomes markup. */
  private static final Map<String, String> SECURITY =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
              + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
              + " require-trusted-types-for 'script'; trusted-types 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "X-Frame-Options",
          "DENY",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cache-Control",
          "no-store");

  private static final String TEXT = "text/plain; charset=utf-8";

  private final Metrics metrics;
  private final HttpServer http;
  private final HttpAccess access;
  private final EventStream events;
  private final Map<String, PageFile> files = PageFile.all();

  /** One thread for each request, so that a slow one delays no other. */
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** Makes events, and ends answers that take too long. */
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().daemon().name("fieldstone-dashboard").factory());

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
    try {
      http = HttpServer.create(address, 0);
    } catch (SocketException e) {
      BindException named =
          new BindException(
              "%s: %s for HTTP".formatted(e.getMessage(), KnownServers.name(address)));
      named.initCause(e);
      throw named;
    }
    access = new HttpAccess(http.getAddress(), token);
    timer.setRemoveOnCancelPolicy(true);
    events = new EventStream(() -> JsonText.of(snapshots.get()), timer);
    http.createContext("/", this::answer);
    http.setExecutor(threads);
    http.start();
  }

  /** Returns the address, with the port that was chosen. */
  public InetSocketAddress address() {
    return http.getAddress();
  }

  /** Returns the number of those that listen to events. */
  int listeners() {
    return events.listeners();
  }

  private void answer(HttpExchange exchange) throws IOException {
    ScheduledFuture<?> alarm = alarm();
    try (exchange) {
      SECURITY.forEach(exchange.getResponseHeaders()::set);
      switch (access.check(exchange)) {
        case ADMITTED -> admitted(exchange, alarm);
        case WRONG_HOST ->
            send(exchange, 421, TEXT, "the header Host does not name this address\n");
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
    } finally {
      alarm.cancel(false);
    }
  }

  /** Returns what ends this thread's answer in time: an interruption closes its connection. */
  private ScheduledFuture<?> alarm() {
    return timer.schedule(Thread.currentThread()::interrupt, MAX_SECONDS, TimeUnit.SECONDS);
  }

  private void admitted(HttpExchange exchange, ScheduledFuture<?> alarm) throws IOException {
    String path = exchange.getRequestURI().getPath();
    PageFile file = files.get(path);
    boolean isOther =
        file == null
            && !path.equals("/events")
            && !path.equals("/metrics")
            && !path.equals("/status");
    if (isOther) {
      send(exchange, 404, TEXT, "no such page; there are /, /metrics and /status\n");
    } else if (!exchange.getRequestMethod().equals("GET")) {
      exchange.getResponseHeaders().set("Allow", "GET");
      send(exchange, 405, TEXT, "only GET is answered\n");
    } else if (file != null) {
      send(exchange, 200, file.type(), file.content());
    } else if (path.equals("/metrics")) {
      send(exchange, 200, "text/plain; version=0.0.4", metrics.text());
    } else if (path.equals("/status")) {
      send(exchange, 200, "application/json", metrics.json());
    } else {
      sendEvents(exchange, alarm);
    }
  }

  private void sendEvents(HttpExchange exchange, ScheduledFuture<?> alarm) throws IOException {
    if (!events.join()) {
      exchange.getResponseHeaders().set("Retry-After", Integer.toString(MAX_SECONDS));
      send(
          exchange, 503, TEXT, "%d others listen to events\n".formatted(EventStream.MAX_LISTENERS));
      return;
    }
    try {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
      exchange.sendResponseHeaders(200, 0);
      OutputStream out = exchange.getResponseBody();
      alarm.cancel(false);
      events.send(event -> {
        ScheduledFuture<?> late = alarm();
        try {
          out.write(event);
          out.flush();
        } finally {
          late.cancel(false);
        }
      });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // its connection is closed with the last bytes
    } finally {
      events.leave();
    }
  }

  private static void send(HttpExchange exchange, int code, String type, String text)
      throws IOException {
    send(exchange, code, type, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void send(HttpExchange exchange, int code, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(code, -1);
    } else {
      exchange.sendResponseHeaders(code, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    events.close();
    http.stop(0);
    threads.shutdownNow();
    timer.shutdownNow();
  }
}
