package io.fieldstone.net.live;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.dashboard.Incidents;
import io.fieldstone.net.dashboard.Metrics;
import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.dashboard.StatusPages;
import io.fieldstone.net.shelf.ShelfServer;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.crypto.PacketCipher;
import io.fieldstone.rlnc.repair.DeliveryTime;
import io.fieldstone.rlnc.window.Delivery;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Receives a live stream from a server or a relay. It begins with the next packet, and goes on
 * after the connection was lost.
 *
 * {@snippet :
 * try (StreamReceiver receiver =
 *     StreamReceiver.start(engine, settings, Optional.empty(), Optional.empty(), player::write)) {
 *   boolean hasEnded = receiver.awaitEnd(Duration.ofHours(1));
 * }
 * }
 *
 * <p>Thread-safe. The caller owns the engine.
 */
public final class StreamReceiver implements AutoCloseable {

  /** Receives the packets of a stream, in order, on the receiver's thread. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Receives a packet. It must not wait.
     *
     * @param packet valid during the call
     */
    void packet(MemorySegment packet);
  }

  private final Engine engine;
  private final Carrier carrier;
  private final LiveClient client;
  private final ClientSettings settings;
  private final Optional<Duration> deadline;
  private final Optional<MasterKey> key;
  private final DeliveryTime delivery;
  private final Sink sink;
  private final PlayoutQueue playout;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment plain = arena.allocate(PartJoiner.MAX_PACKET_BYTES);
  private final LiveEnd ended = new LiveEnd();
  private Optional<LiveLink> link = Optional.empty();
  private Optional<PacketCipher> cipher = Optional.empty();

  /** What the connections before the present one received. */
  private ReceiverStatistics past = ReceiverStatistics.NONE;

  private long forged;

  private StreamReceiver(
      Engine engine,
      ClientSettings settings,
      Optional<Duration> deadline,
      Optional<MasterKey> key,
      DeliveryTime delivery,
      Sink sink) {
    this.engine = engine;
    this.settings = settings;
    this.deadline = deadline;
    this.key = key;
    this.delivery = delivery;
    this.sink = sink;
    this.carrier = QuicCarrier.openClient(LiveServer.transport());
    this.playout = new PlayoutQueue(carrier.loops().getFirst(), System::nanoTime, sink);
    this.client = new LiveClient(settings, carrier, new User());
  }

  /**
   * Starts to receive; delivers packets as soon as those before them are known or given up.
   *
   * @param engine solves lost packets; one of the cores is the right one
   * @param deadline how long to wait for a packet; empty for the deadline of the server
   * @param key decrypts the packets, if the stream is encrypted
   */
  public static StreamReceiver start(
      Engine engine,
      ClientSettings settings,
      Optional<Duration> deadline,
      Optional<MasterKey> key,
      Sink sink) {
    return start(engine, settings, deadline, key, DeliveryTime.AT_ONCE, sink);
  }

  /**
   * Starts to receive.
   *
   * @param engine solves lost packets; one of the cores is the right one
   * @param deadline how long to wait for a packet; empty for the deadline of the server
   * @param key decrypts the packets, if the stream is encrypted
   * @param delivery whether packets are delivered as soon as possible, or each at the deadline, in
   *     the rhythm in which the sender had them
   */
  public static StreamReceiver start(
      Engine engine,
      ClientSettings settings,
      Optional<Duration> deadline,
      Optional<MasterKey> key,
      DeliveryTime delivery,
      Sink sink) {
    engine.requireOpen();
    deadline.ifPresent(StreamSettings::requireDeadline);
    StreamReceiver receiver = new StreamReceiver(engine, settings, deadline, key, delivery, sink);
    receiver.client.start();
    return receiver;
  }

  /** What the connection calls, on its loop. */
  private final class User implements LiveClient.User {
    @Override
    public LiveMessage.Hello hello() {
      return new LiveMessage.Hello(
          LiveMessage.VERSION,
          LiveMessage.Purpose.STREAM,
          settings.token(),
          deadline.map(Duration::toNanos).orElse(0L),
          Optional.empty());
    }

    @Override
    public Optional<LiveLink> accepted(LiveMessage.Accept accept, Connection connection) {
      Optional<String> problem = keyProblem(accept.encryption());
      if (problem.isPresent()) {
        failed(problem.get());
        return Optional.empty();
      }
      cipher =
          accept.encryption().map(each -> new PacketCipher(key.orElseThrow(), each.salt().array()));
      LiveReceiver receiver =
          new LiveReceiver(
              engine,
              accept.flow(),
              Delivery.IN_ORDER,
              new Output(connection, accept.flow()),
              Optional.empty());
      link = Optional.of(new LiveLink(connection, Optional.empty(), Optional.of(receiver)));
      return link;
    }

    @Override
    public void ended(long end) {
      awaitLast(end);
    }

    @Override
    public void lost() {
      link.ifPresent(each -> past = past.plus(each.receiver().orElseThrow().statistics()));
      link = Optional.empty();
    }

    @Override
    public void failed(String problem) {
      client.end(problem);
      ended.fail(problem);
    }
  }

  private Optional<String> keyProblem(Optional<LiveMessage.Encryption> encryption) {
    if (encryption.isEmpty()) {
      return key.map(_ -> "the stream is not encrypted, but a key is given");
    }
    long wanted = encryption.get().keyId();
    if (key.isEmpty()) {
      return Optional.of("the stream is encrypted: key %016x is needed".formatted(wanted));
    }
    return key.get().keyId() == wanted
        ? Optional.empty()
        : Optional.of(
            "the stream is encrypted with key %016x, not with key %016x"
                .formatted(wanted, key.get().keyId()));
  }

  /** Ends once the last source is delivered or given up. */
  private void awaitLast(long end) {
    boolean isOver =
        link.isEmpty() || link.get().receiver().orElseThrow().awaitEnd(end, System.nanoTime());
    if (isOver && playout.isEmpty()) {
      client.end("");
      ended.end();
    } else {
      Cancellable _ = carrier.loops().getFirst().schedule(() -> awaitLast(end), 5_000_000);
    }
  }

  /** Takes what the connection delivers. */
  private final class Output implements LiveOutput {
    private final Connection connection;
    private final FlowShape flow;

    Output(Connection connection, FlowShape flow) {
      this.connection = connection;
      this.flow = flow;
    }

    @Override
    public void packet(MemorySegment packet, long addedNanos) {
      if (cipher.isEmpty()) {
        deliver(packet, addedNanos);
        return;
      }
      long bytes = packet.byteSize() - PacketCipher.OVERHEAD_BYTES;
      if (bytes > 0 && cipher.get().decrypt(packet, plain.asSlice(0, bytes))) {
        deliver(plain.asSlice(0, bytes), addedNanos);
      } else {
        forged++;
      }
    }

    private void deliver(MemorySegment packet, long addedNanos) {
      switch (delivery) {
        case AT_ONCE -> sink.packet(packet);
        case AT_DEADLINE -> playout.add(packet, addedNanos, flow.deadlineNanos());
      }
    }

    @Override
    public void gap(long sources) {}

    @Override
    public void report(MemorySegment report) {
      LivePath.sendReport(connection, report);
    }
  }

  /** Returns the numbers since the start, and delays since the last call. */
  public ReceiverStatistics statistics() {
    return carrier
        .loops()
        .getFirst()
        .call(
            () ->
                link.map(each -> past.plus(each.receiver().orElseThrow().statistics()))
                    .orElse(past)
                    .plusForged(forged),
            ReceiverStatistics.NONE);
  }

  /**
   * Begins to show the dashboard over HTTP. The caller closes it before this.
   *
   * @param address where it answers; port 0 chooses one
   * @throws IOException as {@link StatusPages} does
   */
  public StatusPages openPages(InetSocketAddress address) throws IOException {
    Metrics metrics =
        new Metrics("fieldstone_stream_", Set.of("delayMillis50", "delayMillis99"), this::glance);
    return new StatusPages(
        ShelfServer.resolved(address), settings.token(), metrics, this::snapshot);
  }

  private ReceiverStatistics glance() {
    return carrier.loops().getFirst().call(this::received, ReceiverStatistics.NONE);
  }

  private ReceiverStatistics received() {
    return link.map(each -> past.plus(each.receiver().orElseThrow().glance()))
        .orElse(past)
        .plusForged(forged);
  }

  private Snapshot snapshot() {
    return carrier
        .loops()
        .getFirst()
        .call(
            () ->
                new LiveSnapshot(
                    link.stream().map(each -> LiveSnapshot.peer(each, "sender", true)).toList(),
                    SenderStatistics.NONE,
                    received()),
            LiveSnapshot.NONE)
        .with(settings.self("stream receiver", engine), new Incidents());
  }

  /**
   * Waits until the stream has ended, for a time at most.
   *
   * @return whether it has ended
   * @throws IOException if it cannot be received; the message names the server and the reason
   */
  public boolean awaitEnd(Duration most) throws IOException, InterruptedException {
    return ended.await(most);
  }

  /** Leaves the stream. Idempotent. */
  @Override
  public void close() {
    client.stop();
    carrier.close();
    link.ifPresent(LiveLink::close);
    if (arena.scope().isAlive()) {
      arena.close();
    }
    ended.end();
  }
}
