package io.fieldstone.bench.net;

import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.carrier.quic.CongestionControl;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.carrier.quic.QuicOptions;
import io.fieldstone.net.trust.Identity;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Moves a file over one stream of Fieldstone's QUIC connections, without coding, as a process.
 *
 * <p>{@code serve PORT FILE CONTROL PACKET_BYTES} prints {@code ready}. {@code fetch HOST PORT
 * SECONDS CONTROL PACKET_BYTES} connects for five seconds at most, in rounds ({@link
 * WarmUpRounds}), and again for the whole file. It prints {@code begin} before the last connection,
 * and then {@code result BYTES SECONDS}. {@code CONTROL} is {@code BBR} or {@code CUBIC}; {@code
 * PACKET_BYTES} bounds the UDP payload.
 */
public final class QuicStreamFile {

  private static final int WARM_UP_SECONDS = 5;
  private static final int CHUNK_BYTES = 32 << 10;

  private QuicStreamFile() {}

  /** Runs one side; see the class. */
  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    switch (args[0]) {
      case "serve" -> serve(Integer.parseInt(args[1]), Path.of(args[2]), options(args[3], args[4]));
      case "fetch" ->
          fetch(
              new InetSocketAddress(args[1], Integer.parseInt(args[2])),
              Double.parseDouble(args[3]),
              options(args[4], args[5]));
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private static QuicOptions options(String control, String packetBytes) {
    return QuicOptions.DEFAULT
        .withCongestionControl(CongestionControl.valueOf(control))
        .withMaxUdpBytes(Integer.parseInt(packetBytes))
        .withWindowPackets(QuicOptions.STANDARD_WINDOW_PACKETS);
  }

  private static void serve(int port, Path file, QuicOptions options)
      throws IOException, InterruptedException {
    FileChannel content = FileChannel.open(file);
    try (Carrier carrier = QuicCarrier.open(options, Identity.create(Instant.now()))) {
      carrier.listen(new InetSocketAddress("0.0.0.0", port), _ -> new Sender(content));
      WarmUpRounds.answer();
      System.out.println("ready");
      new CountDownLatch(1).await();
    }
  }

  private static void fetch(InetSocketAddress server, double seconds, QuicOptions options)
      throws IOException, InterruptedException, ExecutionException {
    BufferedReader input = WarmUpRounds.input();
    try (Carrier carrier = QuicCarrier.openClient(options)) {
      do {
        Receiver warmUp = new Receiver();
        Connection round = carrier.connect(server, _ -> true, warmUp).get();
        warmUp.ended.await(WARM_UP_SECONDS, TimeUnit.SECONDS);
        round.close(CloseReason.DONE, "warmed up");
      } while (WarmUpRounds.isAgainWanted(input));
      Receiver receiver = new Receiver();
      System.out.println("begin");
      long start = System.nanoTime();
      carrier.connect(server, _ -> true, receiver).get();
      receiver.ended.await(Math.round(seconds * 1e9), TimeUnit.NANOSECONDS);
      long nanos = System.nanoTime() - start;
      System.out.println(
          String.format(Locale.ROOT, "result %d %.6f", receiver.bytes.get(), nanos / 1e9));
    }
  }

  /** Sends the file once the client has asked. */
  private static final class Sender extends Side {
    private final FileChannel content;
    private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES).limit(0);
    private boolean asked;
    private boolean finished;
    private long at;

    Sender(FileChannel content) {
      this.content = content;
    }

    @Override
    public void control(MemorySegment message) {
      asked = true;
      writable();
    }

    @Override
    public void writable() {
      try {
        while (asked && !finished && fill()) {
          if (!connection().sendControl(MemorySegment.ofBuffer(chunk))) {
            return;
          }
          at += chunk.remaining();
          chunk.limit(0);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      finished = asked;
    }

    /** Reads the next chunk unless the last was not sent; returns false at the end. */
    private boolean fill() throws IOException {
      if (chunk.hasRemaining()) {
        return true;
      }
      int read = content.read(chunk.clear(), at);
      chunk.flip();
      return read > 0;
    }
  }

  /**
   * Counts the bytes that arrive. The last message is shorter than all before, or nothing follows
   * it.
   */
  private static final class Receiver extends Side {
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicLong bytes = new AtomicLong();

    @Override
    public void opened(Connection connection) {
      super.opened(connection);
      connection.sendControl(MemorySegment.ofArray(new byte[] {1}));
    }

    @Override
    public void control(MemorySegment message) {
      bytes.addAndGet(message.byteSize());
      if (message.byteSize() < CHUNK_BYTES) {
        ended.countDown();
      }
    }

    @Override
    public void closed(CloseReason reason) {
      ended.countDown();
    }
  }

  /** Keeps the connection, and ignores the events that neither side needs. */
  private abstract static class Side implements ConnectionHandler {
    private Connection[] opened = {};

    Connection connection() {
      return opened[0];
    }

    @Override
    public void opened(Connection connection) {
      opened = new Connection[] {connection};
    }

    @Override
    public void datagram(MemorySegment bytes) {}

    @Override
    public void writable() {}

    @Override
    public void closed(CloseReason reason) {}
  }
}
