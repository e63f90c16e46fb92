package io.fieldstone.bench.net;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A web server of one file that answers ranges, as a process: {@code PORT FILE}. It prints {@code
 * ready}.
 */
public final class RangeServer {

  private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d*)");
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int PARTIAL_CONTENT = 206;

  private RangeServer() {}

  /** Runs the server; see the class. */
  public static void main(String[] args) throws IOException, InterruptedException {
    FileChannel file = FileChannel.open(Path.of(args[1]));
    HttpServer server = HttpServer.create(new InetSocketAddress(Integer.parseInt(args[0])), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", exchange -> answer(exchange, file));
    server.start();
    System.out.println("ready");
    Thread.currentThread().join(); // until a signal ends the process
  }

  private static void answer(HttpExchange exchange, FileChannel file) throws IOException {
    long size = file.size();
    long from = 0;
    long to = size;
    String range = exchange.getRequestHeaders().getFirst("Range");
    boolean partial = false;
    if (range != null) {
      Matcher asked = RANGE.matcher(range);
      if (asked.matches()) {
        from = Long.parseLong(asked.group(1));
        to = asked.group(2).isEmpty() ? size : Math.min(size, Long.parseLong(asked.group(2)) + 1);
        partial = true;
        exchange
            .getResponseHeaders()
            .set("Content-Range", "bytes %d-%d/%d".formatted(from, to - 1, size));
      }
    }
    exchange.getResponseHeaders().set("Accept-Ranges", "bytes");
    boolean isHead = exchange.getRequestMethod().equals("HEAD");
    try (exchange) {
      exchange.sendResponseHeaders(partial ? PARTIAL_CONTENT : 200, isHead ? -1 : to - from);
      if (!isHead) {
        send(file, from, to, exchange.getResponseBody());
      }
    }
  }

  private static void send(FileChannel file, long from, long to, OutputStream out)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    for (long at = from; at < to; ) {
      buffer.clear().limit((int) Math.min(BUFFER_BYTES, to - at));
      int read = file.read(buffer, at);
      if (read <= 0) {
        throw new IOException("the file ends at " + at);
      }
      out.write(buffer.array(), 0, read);
      at += read;
    }
  }
}
