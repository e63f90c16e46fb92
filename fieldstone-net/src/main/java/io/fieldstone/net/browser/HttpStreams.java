package io.fieldstone.net.browser;

import static io.fieldstone.web.http.PageServer.TEXT;
import static io.fieldstone.web.http.PageServer.send;

import com.sun.net.httpserver.HttpExchange;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.carrier.Loop;
import io.fieldstone.web.http.PageServer;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Connections of browsers that no UDP reaches. The answer to {@code GET /stream} is a stream of
 * {@link Frame}s without end, whose first one is the secret name of the session. Each {@code POST
 * /stream/NAME} has frames of the browser, in order. Thread-safe.
 */
final class HttpStreams {

  /** The path at which sessions begin. */
  static final String PATH = "stream";

  private static final int NAME_BYTES = 16;

  /** A browser sends at most 60,000 bytes, or one message that is larger. */
  private static final int MAX_REQUEST_BYTES = 2 * Connection.MAX_CONTROL_BYTES;

  private final List<Loop> loops;
  private final Function<Connection, ConnectionHandler> accept;
  private final Map<String, StreamConnection> sessions = new ConcurrentHashMap<>();
  private final SecureRandom random = new SecureRandom();
  private final AtomicInteger nextLoop = new AtomicInteger();

  HttpStreams(List<Loop> loops, Function<Connection, ConnectionHandler> accept) {
    this.loops = List.copyOf(loops);
    this.accept = accept;
  }

  /** Answers a request for a path that begins with {@link #PATH}. */
  void answer(HttpExchange exchange, String path, ScheduledFuture<?> deadline, PageServer server)
      throws IOException {
    String method = exchange.getRequestMethod();
    if (path.equals(PATH) && method.equals("GET")) {
      deadline.cancel(false);
      stream(exchange, server);
    } else if (path.startsWith(PATH + "/") && method.equals("POST")) {
      receive(exchange, Optional.ofNullable(sessions.get(path.substring(PATH.length() + 1))));
    } else {
      exchange.getResponseHeaders().set("Allow", path.equals(PATH) ? "GET" : "POST");
      send(exchange, 405, TEXT, "a session begins with GET, and goes on with POST\n");
    }
  }

  private void stream(HttpExchange exchange, PageServer server) throws IOException {
    byte[] secret = new byte[NAME_BYTES];
    random.nextBytes(secret);
    String name = HexFormat.of().formatHex(secret);
    Loop loop = loops.get(Math.floorMod(nextLoop.getAndIncrement(), loops.size()));
    StreamConnection connection =
        new StreamConnection(loop, exchange.getRemoteAddress(), () -> sessions.remove(name));
    sessions.put(name, connection);
    byte[] first = name.getBytes(StandardCharsets.US_ASCII);
    boolean _ =
        connection
            .queue()
            .offer(Frame.encode(Frame.CONTROL, MemorySegment.ofArray(first)), FrameQueue.MAX_BYTES);
    try {
      exchange.getResponseHeaders().set("Content-Type", "application/octet-stream");
      exchange.sendResponseHeaders(200, 0);
      connection.open(accept);
      write(exchange.getResponseBody(), connection, server);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // its connection is closed with the last bytes
    } finally {
      connection.left();
    }
  }

  private static void write(OutputStream out, StreamConnection connection, PageServer server)
      throws IOException, InterruptedException {
    List<byte[]> frames = connection.queue().take();
    while (!frames.isEmpty()) {
      server.write(out, frames);
      connection.drained();
      frames = connection.queue().take();
    }
  }

  private static void receive(HttpExchange exchange, Optional<StreamConnection> session)
      throws IOException {
    if (session.isEmpty()) {
      send(exchange, 404, TEXT, "the session has ended\n");
      return;
    }
    byte[] body = exchange.getRequestBody().readNBytes(MAX_REQUEST_BYTES + 1);
    if (body.length > MAX_REQUEST_BYTES) {
      send(exchange, 413, TEXT, "a request has at most " + MAX_REQUEST_BYTES + " bytes\n");
      return;
    }
    Optional<List<Frame>> frames = Frame.parse(body);
    if (frames.isEmpty()) {
      send(exchange, 400, TEXT, "no frames\n");
      return;
    }
    session.get().arrived(frames.get());
    exchange.sendResponseHeaders(204, -1);
  }

  /** Ends all sessions. */
  void close() {
    sessions.values().forEach(each -> each.close(0, "the server stops"));
  }
}
