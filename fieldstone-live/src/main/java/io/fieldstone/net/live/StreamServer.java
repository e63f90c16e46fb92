package io.fieldstone.net.live;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.Loop;
import io.fieldstone.net.dashboard.Metrics;
import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.crypto.PacketCipher;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends a live stream to any number of receivers, each with the repairs that its path needs.
 *
 * {@snippet :
 * StreamSettings settings = StreamSettings.of(EndpointSettings.of(state), Duration.ofMillis(100));
 * try (Engine engine = Engine.open("cpu");
 *     StreamServer server = StreamServer.start(engine, settings)) {
 *   System.out.println(server.address() + " " + server.fingerprint());
 *   while (source.read(packet)) {
 *     server.send(packet); // 1 to 65,535 bytes
 *   }
 *   server.finish();
 * }
 * }
 *
 * <p>A receiver gets what is sent after it has connected. Thread-safe. The caller owns the engine.
 */
public final class StreamServer implements AutoCloseable {

  /** The maximum bytes of a packet. */
  public static final int MAX_PACKET_BYTES = PartJoiner.MAX_PACKET_BYTES;

  /** The window in packets: a second of 20 Mbit/s. */
  static final int WINDOW = 2048;

  /** The maximum bytes of a source: what a path of Ethernet carries. */
  static final int SOURCE_BYTES = 1500;

  /** The sources that a slow receiver may have before it when packets are read from a file. */
  private static final long MAX_WAITING = 128;

  private static final long POLL_NANOS = 1_000_000;
  private static final long MAX_FINISH_NANOS = 5_000_000_000L;

  private final LiveServer server;
  private final List<LoopStream> streams;
  private final Duration deadline;
  private final Optional<PacketCipher> cipher;
  private long encrypted;

  private StreamServer(Engine engine, StreamSettings settings, LiveServer server) {
    this.server = server;
    this.deadline = settings.deadline();
    FlowShape shape = new FlowShape(0, SOURCE_BYTES, WINDOW, deadline.toNanos());
    byte[] salt = PacketCipher.newSalt();
    this.cipher = settings.key().map(key -> new PacketCipher(key, salt));
    Optional<LiveMessage.Encryption> encryption = settings.key().map(key -> encryption(key, salt));
    this.streams =
        server.carrier().loops().stream()
            .map(loop -> new LoopStream(engine, shape, settings.endpoint(), encryption, loop))
            .toList();
  }

  private static LiveMessage.Encryption encryption(MasterKey key, byte[] salt) {
    return new LiveMessage.Encryption(key.keyId(), ByteBuffer.wrap(salt));
  }

  /**
   * Starts to listen.
   *
   * @param engine makes repairs; one of the cores is the right one
   * @throws java.net.BindException if an address is in use
   * @throws IOException if the identity is not valid
   */
  public static StreamServer start(Engine engine, StreamSettings settings) throws IOException {
    engine.requireOpen();
    EndpointSettings endpoint = settings.endpoint();
    LiveServer server = LiveServer.open(endpoint, endpoint.loops());
    StreamServer stream = new StreamServer(engine, settings, server);
    try {
      server.listen(
          stream::service,
          new Metrics(LiveSnapshot.METRICS, SenderStatistics.GAUGES, stream::statistics),
          () -> stream.snapshot(engine));
      return stream;
    } catch (IOException | RuntimeException e) {
      stream.close();
      throw e;
    }
  }

  private LiveService service(Loop loop) {
    return senders().stream().filter(each -> each.loop().equals(loop)).findAny().orElseThrow();
  }

  /** Returns the address, with the port that was chosen. */
  public InetSocketAddress address() {
    return server.address();
  }

  /** Returns the address of the status over HTTP, if there is one. */
  public Optional<InetSocketAddress> httpAddress() {
    return server.httpAddress();
  }

  /** Returns the address of the page for browsers, if there is one. */
  public Optional<InetSocketAddress> browserAddress() {
    return server.browserAddress();
  }

  /** Returns the fingerprint by which receivers know this server. */
  public Fingerprint fingerprint() {
    return server.fingerprint();
  }

  /**
   * Sends a packet to all receivers. It is dropped if too many wait.
   *
   * @param packet 1 to {@link #MAX_PACKET_BYTES} bytes, which are copied
   * @throws IllegalArgumentException if the size is out of range
   */
  public void send(MemorySegment packet) {
    if (packet.byteSize() < 1 || packet.byteSize() > MAX_PACKET_BYTES - overheadBytes()) {
      throw new IllegalArgumentException(
          "a packet of %d bytes is not of 1…%d"
              .formatted(packet.byteSize(), MAX_PACKET_BYTES - overheadBytes()));
    }
    byte[] sent =
        cipher.isPresent()
            ? encrypted(cipher.get(), packet)
            : packet.toArray(ValueLayout.JAVA_BYTE);
    streams.forEach(each -> each.add(sent));
  }

  private int overheadBytes() {
    return cipher.isPresent() ? PacketCipher.OVERHEAD_BYTES : 0;
  }

  private byte[] encrypted(PacketCipher with, MemorySegment plain) {
    byte[] packet = new byte[(int) plain.byteSize() + PacketCipher.OVERHEAD_BYTES];
    synchronized (with) {
      with.encrypt(encrypted++, plain, MemorySegment.ofArray(packet));
    }
    return packet;
  }

  private List<LiveSenders> senders() {
    return streams.stream().map(LoopStream::senders).toList();
  }

  /**
   * Waits until the receivers have taken most of what was sent, for a source that can wait, such as
   * a file. Waits for the first receiver, too.
   */
  public void awaitReceivers() throws InterruptedException {
    server.awaitClient();
    while (LiveSenders.ask(senders(), LiveSenders::waiting, 0L).stream()
        .anyMatch(each -> each > MAX_WAITING)) {
      park();
    }
  }

  private static void park() throws InterruptedException {
    LockSupport.parkNanos(POLL_NANOS);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /** Notifies the receivers that the stream has ended, and waits until they have left. */
  public void finish() throws InterruptedException {
    streams.forEach(LoopStream::end);
    long since = System.nanoTime();
    while (LiveSenders.ask(senders(), each -> each.links().isEmpty(), true).contains(false)
        && System.nanoTime() - since < MAX_FINISH_NANOS + deadline.toNanos()) {
      park();
    }
  }

  /** Returns the numbers since the start. */
  public SenderStatistics statistics() {
    return SenderStatistics.sum(
        LiveSenders.ask(senders(), LiveSenders::statistics, SenderStatistics.NONE));
  }

  private Snapshot snapshot(Engine engine) {
    return server.snapshot("stream sender", engine, LiveSnapshot.of(senders()));
  }

  /** Returns the packets that were dropped because too many waited, for some receivers at least. */
  public long dropped() {
    return streams.stream().mapToLong(LoopStream::dropped).max().orElse(0);
  }

  /** Closes the connections of the receivers, and ends. Idempotent. */
  @Override
  public void close() {
    server.close();
    streams.forEach(LoopStream::close);
  }

  /** The stream on one loop: its window, its receivers, and the packets on their way to both. */
  private static final class LoopStream implements AutoCloseable {

    private final OriginWindow window;
    private final LiveSenders senders;
    private final PacketQueue queue;

    LoopStream(
        Engine engine,
        FlowShape shape,
        EndpointSettings settings,
        Optional<LiveMessage.Encryption> encryption,
        Loop loop) {
      this.window = new OriginWindow(engine, shape);
      this.senders = new LiveSenders(loop, window, settings, encryption);
      this.queue = new PacketQueue(loop, this::split);
    }

    /** Sends packets to the receivers, on the loop. */
    private void split(Collection<byte[]> packets) {
      long now = System.nanoTime();
      int maxSourceBytes = senders.maxSourceBytes(now);
      for (byte[] packet : packets) {
        PartSplitter.split(window, MemorySegment.ofArray(packet), maxSourceBytes, now);
      }
      senders.added();
    }

    /** Sends a packet, or drops it if too many wait. */
    void add(byte[] packet) {
      queue.add(packet);
    }

    /** Returns the packets that were dropped. */
    long dropped() {
      return queue.dropped();
    }

    LiveSenders senders() {
      return senders;
    }

    /** Notifies the receivers that the stream ends with what has been added. Not on the loop. */
    void end() {
      boolean _ =
          senders
              .loop()
              .call(
                  () -> {
                    queue.drain();
                    senders.end(window.end());
                    return true;
                  },
                  false);
    }

    /** Frees the window, once the loop has ended. */
    @Override
    public void close() {
      window.close();
    }
  }
}
