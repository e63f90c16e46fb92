package io.fieldstone.net.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;

/** Offers the status of a server over HTTP: {@code /metrics} for Prometheus, {@code /status}. */
final class StatusPages implements AutoCloseable {

  private static final String PREFIX = "fieldstone_";

  /** The components that do not only grow. */
  private static final List<String> GAUGES =
      List.of("files", "clients", "generations", "generationBytes");

  private final HttpServer http;

  /**
   * Starts to answer.
   *
   * @throws IOException if the address cannot be bound
   */
  StatusPages(InetSocketAddress address, Supplier<ServerStatus> status) throws IOException {
    try {
      http = HttpServer.create(address, 0);
    } catch (BindException e) {
      BindException named = new BindException("%s: %s".formatted(address, e.getMessage()));
      named.initCause(e);
      throw named;
    }
    http.createContext(
        "/metrics",
        exchange -> answer(exchange, "text/plain; version=0.0.4", status, StatusPages::metrics));
    http.createContext(
        "/status", exchange -> answer(exchange, "application/json", status, StatusPages::json));
    http.start();
  }

  /** Returns the address, with the port that was chosen. */
  InetSocketAddress address() {
    return http.getAddress();
  }

  private static void answer(
      HttpExchange exchange,
      String type,
      Supplier<ServerStatus> status,
      Function<ServerStatus, String> format)
      throws IOException {
    try (exchange) {
      boolean isGet = exchange.getRequestMethod().equals("GET");
      byte[] body = (isGet ? format.apply(status.get()) : "").getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(isGet ? 200 : 405, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private record Value(String name, Object value) {}

  private static List<Value> values(ServerStatus status) {
    List<Value> values = new ArrayList<>();
    for (RecordComponent component : ServerStatus.class.getRecordComponents()) {
      try {
        values.add(new Value(component.getName(), component.getAccessor().invoke(status)));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
    return values;
  }

  static String metrics(ServerStatus status) {
    StringBuilder text = new StringBuilder();
    for (Value each : values(status)) {
      boolean isGauge = GAUGES.contains(each.name);
      String snake = each.name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
      String name = PREFIX + snake + (isGauge ? "" : "_total");
      text.append("# TYPE %s %s\n".formatted(name, isGauge ? "gauge" : "counter"));
      text.append("%s %s\n".formatted(name, each.value));
    }
    return text.toString();
  }

  static String json(ServerStatus status) {
    List<String> members = new ArrayList<>();
    for (Value each : values(status)) {
      members.add("\"%s\":%s".formatted(each.name, each.value));
    }
    return "{" + String.join(",", members) + "}\n";
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
