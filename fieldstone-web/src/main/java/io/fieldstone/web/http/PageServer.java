package io.fieldstone.web.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Answers requests over HTTP, each on a thread of its own, so that a slow one delays no other.
 *
 * <p>A request and an answer each have {@value #MAX_SECONDS} s. {@value #MAX_CONNECTIONS}
 * connections of the process may be open; more are closed at once. So clients that send half of a
 * request, or do not read, use up no descriptors. Thread-safe.
 */
public final class PageServer implements AutoCloseable {

  /** The maximum number of connections. */
  public static final int MAX_CONNECTIONS = 64;

  /** The maximum time of a request, and of an answer, in seconds. */
  public static final int MAX_SECONDS = 5;

  /** The media type of errors. */
  public static final String TEXT = "text/plain; charset=utf-8";

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

  /** What every answer says: no text becomes markup, and no other site shows or reads the page. */
  private static final Map<String, String> SECURITY =
      Map.of(
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

  private final HttpServer http;
  private final String contentPolicy;
  private final Handler handler;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** Ends answers that take too long. */
  private final ScheduledThreadPoolExecutor timer;

  /** Answers a request. */
  @FunctionalInterface
  public interface Handler {
    /**
     * Answers.
     *
     * @param deadline ends this answer in time; an answer without end cancels it
     */
    void answer(HttpExchange exchange, ScheduledFuture<?> deadline) throws IOException;
  }

  /**
   * Binds an address. Requests are answered after {@link #start}.
   *
   * @param address the address, resolved; port 0 chooses one
   * @param contentPolicy the Content-Security-Policy of all answers
   * @param timer ends answers; closed by its owner after this
   * @throws BindException if the address cannot be bound; the message names it
   */
  public PageServer(
      InetSocketAddress address,
      String contentPolicy,
      ScheduledThreadPoolExecutor timer,
      Handler handler)
      throws IOException {
    this.contentPolicy = contentPolicy;
    this.handler = handler;
    this.timer = timer;
    try {
      http = HttpServer.create(address, 0);
    } catch (SocketException e) {
      BindException named = new BindException(e.getMessage() + ": " + name(address) + " for HTTP");
      named.initCause(e);
      throw named;
    }
    http.createContext("/", this::answer);
    http.setExecutor(threads);
  }

  /** Returns host and port, with brackets around an address of IPv6. */
  private static String name(InetSocketAddress address) {
    String host = address.getHostString();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  /** Returns a timer with one thread of this name. */
  public static ScheduledThreadPoolExecutor timer(String name) {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name(name).factory());
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  /** Begins to answer. */
  public void start() {
    http.start();
  }

  /** Returns the address, with the port that was chosen. */
  public InetSocketAddress address() {
    return http.getAddress();
  }

  private void answer(HttpExchange exchange) throws IOException {
    ScheduledFuture<?> deadline = deadline();
    try (exchange) {
      SECURITY.forEach(exchange.getResponseHeaders()::set);
      exchange.getResponseHeaders().set("Content-Security-Policy", contentPolicy);
      handler.answer(exchange, deadline);
    } finally {
      deadline.cancel(false);
    }
  }

  /** Returns what ends this thread's answer in time: an interruption closes its connection. */
  private ScheduledFuture<?> deadline() {
    return timer.schedule(Thread.currentThread()::interrupt, MAX_SECONDS, TimeUnit.SECONDS);
  }

  /** Writes the next bytes of an answer without end, in the time that others have as a whole. */
  public void write(OutputStream out, List<byte[]> parts) throws IOException {
    ScheduledFuture<?> deadline = deadline();
    try {
      for (byte[] each : parts) {
        out.write(each);
      }
      out.flush();
    } finally {
      deadline.cancel(false);
    }
  }

  /** Sends a text. */
  public static void send(HttpExchange exchange, int code, String type, String text)
      throws IOException {
    send(exchange, code, type, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Sends bytes; to HEAD only the headers. */
  public static void send(HttpExchange exchange, int code, String type, byte[] body)
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
    http.stop(0);
    threads.shutdownNow();
  }
}
