package io.fieldstone.net.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fieldstone.net.trust.KnownServers;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Offers the status of a server, a record of numbers, over HTTP: {@code /metrics} for Prometheus,
 * {@code /status}.
 *
 * <p>A request and an answer each have {@value #MAX_SECONDS} s, and {@value #MAX_CONNECTIONS}
 * connections may be open; more are closed at once. So clients that send half of a request use up
 * no descriptors of the server.
 */
public final class StatusPages implements AutoCloseable {

  /** The maximum number of connections. */
  static final int MAX_CONNECTIONS = 64;

  /** The maximum time of a request, and of an answer, in seconds. */
  private static final int MAX_SECONDS = 5;

  static {
    // The server of the JDK reads its limits from properties, once. By default it has none.
    limit("jdk.httpserver.maxConnections", MAX_CONNECTIONS);
    limit("sun.net.httpserver.maxReqTime", MAX_SECONDS);
    limit("sun.net.httpserver.maxRspTime", MAX_SECONDS);
    limit("sun.net.httpserver.idleInterval", 2 * MAX_SECONDS);
    limit("sun.net.httpserver.clockTick", 1000 * MAX_SECONDS);
  }

  private static void limit(String property, int value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, Integer.toString(value));
    }
  }

  /** The components of {@link ServerStatus} that do not only grow. */
  private static final Set<String> SERVER_GAUGES =
      Set.of("files", "clients", "generations", "generationBytes");

  private final String prefix;
  private final Set<String> gauges;

  private final HttpServer http;

  /** One thread for each request, so that a slow one delays no other. */
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * Starts to answer with the status of a server of files.
   *
   * @throws IOException if the address cannot be bound
   */
  StatusPages(InetSocketAddress address, Supplier<ServerStatus> status) throws IOException {
    this(address, "fieldstone_", SERVER_GAUGES, status);
  }

  /**
   * Starts to answer.
   *
   * @param prefix the beginning of the names of metrics
   * @param gauges the components of the record that do not only grow
   * @param status gives the record, whose components are numbers or boolean
   * @throws IOException if the address cannot be bound
   */
  public StatusPages(
      InetSocketAddress address,
      String prefix,
      Set<String> gauges,
      Supplier<? extends Record> status)
      throws IOException {
    this.prefix = prefix;
    this.gauges = Set.copyOf(gauges);
    try {
      http = HttpServer.create(address, 0);
    } catch (SocketException e) {
      BindException named =
          new BindException(
              "%s: %s for HTTP".formatted(e.getMessage(), KnownServers.name(address)));
      named.initCause(e);
      throw named;
    }
    http.createContext("/", exchange -> answer(exchange, status));
    http.setExecutor(threads);
    http.start();
  }

  /** Returns the address, with the port that was chosen. */
  public InetSocketAddress address() {
    return http.getAddress();
  }

  private void answer(HttpExchange exchange, Supplier<? extends Record> status) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      if (!path.equals("/metrics") && !path.equals("/status")) {
        send(exchange, 404, "text/plain", "no such page; there are /metrics and /status\n");
      } else if (!exchange.getRequestMethod().equals("GET")) {
        exchange.getResponseHeaders().set("Allow", "GET");
        send(exchange, 405, "text/plain", "only GET is answered\n");
      } else if (path.equals("/metrics")) {
        send(exchange, 200, "text/plain; version=0.0.4", metrics(status.get(), prefix, gauges));
      } else {
        send(exchange, 200, "application/json", json(status.get()));
      }
    }
  }

  private static void send(HttpExchange exchange, int code, String type, String text)
      throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(code, -1);
    } else {
      exchange.sendResponseHeaders(code, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private record Value(String name, Object value) {
    /** Returns the value as a number. */
    Object number() {
      return value instanceof Boolean flag ? flag ? 1 : 0 : value;
    }
  }

  private static List<Value> values(Record status) {
    List<Value> values = new ArrayList<>();
    for (RecordComponent component : status.getClass().getRecordComponents()) {
      try {
        values.add(new Value(component.getName(), component.getAccessor().invoke(status)));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
    return values;
  }

  static String metrics(Record status, String prefix, Set<String> gauges) {
    StringBuilder text = new StringBuilder();
    for (Value each : values(status)) {
      boolean isGauge = gauges.contains(each.name);
      String snake = each.name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
      String name = prefix + snake + (isGauge ? "" : "_total");
      text.append("# TYPE %s %s\n".formatted(name, isGauge ? "gauge" : "counter"));
      text.append("%s %s\n".formatted(name, each.number()));
    }
    return text.toString();
  }

  static String json(Record status) {
    List<String> members = new ArrayList<>();
    for (Value each : values(status)) {
      members.add("\"%s\":%s".formatted(each.name, each.value));
    }
    return "{" + String.join(",", members) + "}\n";
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
