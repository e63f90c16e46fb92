package io.fieldstone.bench.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Moves a file over one TCP connection, as a process. {@code serve PORT FILE} prints {@code ready}
 * and sends the file to every client that connects. {@code fetch HOST PORT SECONDS} stops at the
 * end or when the time is over. It prints {@code result BYTES SECONDS}, with the time from the
 * attempt to connect to the last byte.
 */
public final class TcpFile {

  private static final int BUFFER_BYTES = 1 << 16;

  private TcpFile() {}

  /** Runs one side; see the class. */
  public static void main(String[] args) throws IOException {
    switch (args[0]) {
      case "serve" -> serve(Integer.parseInt(args[1]), Path.of(args[2]));
      case "fetch" ->
          fetch(
              new InetSocketAddress(args[1], Integer.parseInt(args[2])),
              Double.parseDouble(args[3]));
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private static void serve(int port, Path file) throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open();
        FileChannel content = FileChannel.open(file)) {
      server.bind(new InetSocketAddress(port));
      System.out.println("ready");
      while (true) {
        SocketChannel client = server.accept();
        Thread.ofVirtual().start(() -> send(content, client));
      }
    }
  }

  private static void send(FileChannel content, SocketChannel client) {
    try (client) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
      for (long at = 0; content.read(buffer.clear(), at) > 0; ) {
        at += buffer.flip().remaining();
        while (buffer.hasRemaining()) {
          client.write(buffer);
        }
      }
    } catch (IOException gone) {
      // a client whose time is over
    }
  }

  private static void fetch(InetSocketAddress server, double seconds) throws IOException {
    long start = System.nanoTime();
    long bytes = 0;
    long last = start;
    try (SocketChannel channel = SocketChannel.open(server)) {
      channel.configureBlocking(false);
      try (var selector = channel.provider().openSelector()) {
        channel.register(selector, SelectionKey.OP_READ);
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        long end = start + Math.round(seconds * 1e9);
        for (int read = 0; read >= 0 && System.nanoTime() < end; ) {
          selector.select(50);
          selector.selectedKeys().clear();
          read = channel.read(buffer.clear());
          bytes += Math.max(read, 0);
          last = System.nanoTime();
        }
      }
    }
    System.out.println(String.format(Locale.ROOT, "result %d %.6f", bytes, (last - start) / 1e9));
  }
}
