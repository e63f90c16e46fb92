package io.fieldstone.bench.net;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures what TCP connections have of a path, as a process. {@code serve PORT} prints {@code
 * ready}. A client that sends {@code e} gets all that it sends back, and one that sends {@code d}
 * gets data until it leaves.
 *
 * <p>{@code measure HOST PORT SECONDS} exchanges a message each 20 ms for the seconds and prints
 * {@code delay MEDIAN PERCENTILE99}, the milliseconds of a round trip. It then reads data: for a
 * third of the seconds, after which it prints {@code begin}, and for the seconds, after which it
 * prints {@code result BYTES SECONDS}.
 */
public final class TcpService {

  private static final int MESSAGE_BYTES = 200;
  private static final long INTERVAL_NANOS = 20_000_000;
  private static final int BUFFER_BYTES = 1 << 16;

  /** The share of the first messages that are not counted: the JVM of a tunnel compiles. */
  private static final int UNCOUNTED = 4;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;

  private TcpService() {}

  /** Runs one side; see the class. */
  public static void main(String[] args) throws IOException {
    switch (args[0]) {
      case "serve" -> serve(Integer.parseInt(args[1]));
      case "measure" -> {
        double seconds = Double.parseDouble(args[3]);
        exchange(args[1], Integer.parseInt(args[2]), seconds);
        read(args[1], Integer.parseInt(args[2]), seconds);
      }
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private static void serve(int port) throws IOException {
    try (ServerSocket server = new ServerSocket(port)) {
      System.out.println("ready");
      while (true) {
        Socket client = server.accept();
        Thread.ofVirtual().start(() -> answer(client));
      }
    }
  }

  private static void answer(Socket client) {
    try (client) {
      client.setTcpNoDelay(true);
      InputStream in = client.getInputStream();
      OutputStream out = client.getOutputStream();
      byte[] buffer = new byte[BUFFER_BYTES];
      switch (in.read()) {
        case 'e' -> {
          for (int bytes = in.read(buffer); bytes > 0; bytes = in.read(buffer)) {
            out.write(buffer, 0, bytes);
          }
        }
        case 'd' -> {
          new Random(1).nextBytes(buffer);
          while (true) {
            out.write(buffer);
          }
        }
        default -> {} // a client that has left
      }
    } catch (IOException left) {
      // a client whose time is over
    }
  }

  private static Socket connect(String host, int port, char purpose) throws IOException {
    Socket socket = new Socket(host, port);
    socket.setTcpNoDelay(true);
    socket.getOutputStream().write(purpose);
    return socket;
  }

  private static void exchange(String host, int port, double seconds) throws IOException {
    int count = (int) (seconds * NANOS_PER_SECOND / INTERVAL_NANOS);
    double[] millis = new double[count];
    long start = System.nanoTime();
    try (Socket socket = connect(host, port, 'e')) {
      Thread sender = Thread.ofPlatform().daemon().start(() -> send(socket, count, start));
      DataInputStream in = new DataInputStream(socket.getInputStream());
      byte[] message = new byte[MESSAGE_BYTES];
      for (int i = 0; i < count; i++) {
        in.readFully(message);
        millis[i] = (System.nanoTime() - start - i * INTERVAL_NANOS) / NANOS_PER_MILLI;
      }
      sender.interrupt(); // it has sent all
    }
    double[] counted = Arrays.copyOfRange(millis, count / UNCOUNTED, count);
    Arrays.sort(counted);
    System.out.println(
        String.format(
            Locale.ROOT,
            "delay %.3f %.3f",
            counted[counted.length / 2],
            counted[counted.length * 99 / 100]));
  }

  private static void send(Socket socket, int count, long start) {
    byte[] message = new byte[MESSAGE_BYTES];
    try {
      OutputStream out = socket.getOutputStream();
      for (int i = 0; i < count; i++) {
        for (long wait = 1; wait > 0; ) {
          wait = start + i * INTERVAL_NANOS - System.nanoTime();
          LockSupport.parkNanos(wait);
        }
        out.write(message);
      }
    } catch (IOException ended) {
      // the other thread reports it
    }
  }

  private static void read(String host, int port, double seconds) throws IOException {
    try (Socket socket = connect(host, port, 'd')) {
      readFor(socket, seconds / 3);
      System.out.println("begin");
      long start = System.nanoTime();
      long bytes = readFor(socket, seconds);
      double elapsed = (System.nanoTime() - start) / NANOS_PER_SECOND;
      System.out.println(String.format(Locale.ROOT, "result %d %.6f", bytes, elapsed));
    }
  }

  private static long readFor(Socket socket, double seconds) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    long end = System.nanoTime() + Math.round(seconds * NANOS_PER_SECOND);
    long bytes = 0;
    while (System.nanoTime() < end) {
      int read = socket.getInputStream().read(buffer);
      if (read < 0) {
        throw new IOException("the server has closed the connection");
      }
      bytes += read;
    }
    return bytes;
  }
}
