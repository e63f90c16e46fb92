package io.fieldstone.net.live;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.Loop;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.dashboard.Metrics;
import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.rlnc.window.Delivery;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Passes a live stream on: receives it from a server or another relay, and sends it to any number
 * of receivers, each with the repairs that its path needs. Sources leave as they arrive or are
 * solved; repairs combine all that the relay has, without waiting for what is missing. It reads
 * nothing of an encrypted stream.
 *
 * <p>Each hop has the deadline of the stream. Receivers wait while the relay has no stream. Those
 * of a stream that is lost have to connect again, since the next one has other numbers.
 * Thread-safe. The caller owns the engine.
 */
public final class StreamRelay implements AutoCloseable {

  private static final long POLL_NANOS = 5_000_000;

  private final Engine engine;
  private final LiveServer server;
  private final Carrier carrier;
  private final LiveClient client;
  private final ClientSettings upstream;
  private final LiveEnd ended = new LiveEnd();

  /** The present stream, for each loop of the server; empty if there is none. */
  private volatile List<LoopRelay> streams = List.of();

  /** The receivers that wait for a stream, and what opens their flows; each map on its loop. */
  private final Map<Loop, Map<Connection, Consumer<LiveSenders>>> waiting;

  /** The connection to the origin, on the loop of its carrier. */
  private Optional<LiveLink> link = Optional.empty();

  /** The counts of the streams before. */
  private final AtomicReference<SenderStatistics> past =
      new AtomicReference<>(SenderStatistics.NONE);

  private StreamRelay(
      Engine engine, ClientSettings upstream, EndpointSettings endpoint, LiveServer server) {
    this.engine = engine;
    this.upstream = upstream;
    this.server = server;
    this.waiting =
        server.carrier().loops().stream()
            .collect(Collectors.toUnmodifiableMap(loop -> loop, _ -> new LinkedHashMap<>()));
    this.carrier = QuicCarrier.openClient(LiveServer.transport());
    this.client = new LiveClient(upstream, carrier, new Upstream(endpoint));
  }

  /**
   * Starts to listen and to connect.
   *
   * @param engine combines packets; one of the cores is the right one
   * @param upstream the servers or relays that have the stream
   * @param endpoint address, state, token and rate for the receivers
   * @throws java.net.BindException if an address is in use
   * @throws IOException if the identity is not valid
   */
  public static StreamRelay start(Engine engine, ClientSettings upstream, EndpointSettings endpoint)
      throws IOException {
    engine.requireOpen();
    LiveServer server = LiveServer.ofRelay(endpoint);
    StreamRelay relay = new StreamRelay(engine, upstream, endpoint, server);
    try {
      server.listen(
          relay::service,
          new Metrics(LiveSnapshot.METRICS, SenderStatistics.GAUGES, relay::statistics),
          relay::snapshot);
      relay.client.start();
      return relay;
    } catch (IOException | RuntimeException e) {
      relay.close();
      throw e;
    }
  }

  private LiveService service(Loop loop) {
    return new Downstream(loop);
  }

  private Map<Connection, Consumer<LiveSenders>> waiting(Loop loop) {
    return Objects.requireNonNull(waiting.get(loop));
  }

  /** Serves the receivers that have waited for this stream, on their loop. */
  private void admit(LoopRelay stream) {
    Map<Connection, Consumer<LiveSenders>> waited = waiting(stream.senders().loop());
    List<Consumer<LiveSenders>> openings = List.copyOf(waited.values());
    waited.clear();
    openings.forEach(opening -> opening.accept(stream.senders()));
  }

  private List<LiveSenders> senders() {
    return streams.stream().map(LoopRelay::senders).toList();
  }

  /** Answers a receiver, of whichever stream is there. */
  private final class Downstream implements LiveService {
    private final Loop loop;

    Downstream(Loop loop) {
      this.loop = loop;
    }

    private Optional<LiveSenders> own() {
      return senders().stream().filter(each -> each.loop().equals(loop)).findAny();
    }

    @Override
    public LiveMessage.Purpose purpose() {
      return LiveMessage.Purpose.STREAM;
    }

    @Override
    public void open(LiveMessage.Hello hello, Connection connection, Consumer<Opened> accepted) {
      Optional<LiveSenders> own = own();
      if (own.isPresent()) {
        own.get().open(hello, connection, accepted);
      } else {
        waiting(loop).put(connection, senders -> senders.open(hello, connection, accepted));
      }
    }

    @Override
    public void left(Connection connection) {
      waiting(loop).remove(connection);
    }

    @Override
    public void closed(LiveLink closed) {
      own().ifPresent(each -> each.closed(closed));
    }
  }

  /** What the connection to the origin calls. */
  private final class Upstream implements LiveClient.User {
    private final EndpointSettings endpoint;

    Upstream(EndpointSettings endpoint) {
      this.endpoint = endpoint;
    }

    @Override
    public LiveMessage.Hello hello() {
      return new LiveMessage.Hello(
          LiveMessage.VERSION, LiveMessage.Purpose.STREAM, upstream.token(), 0, Optional.empty());
    }

    @Override
    public Optional<LiveLink> accepted(LiveMessage.Accept accept, Connection connection) {
      List<LoopRelay> opened =
          server.carrier().loops().stream()
              .map(
                  loop -> new LoopRelay(engine, accept.flow(), endpoint, accept.encryption(), loop))
              .toList();
      streams = opened;
      opened.forEach(each -> each.execute(() -> admit(each)));
      LiveReceiver receiver =
          new LiveReceiver(
              engine,
              accept.flow(),
              Delivery.AS_DECODED,
              new Output(connection),
              Optional.of(new LoopTaps(opened)));
      link = Optional.of(new LiveLink(connection, Optional.empty(), Optional.of(receiver)));
      return link;
    }

    @Override
    public void ended(long end) {
      streams.forEach(each -> each.execute(() -> each.senders().end(end)));
      awaitReceived(end);
    }

    @Override
    public void lost() {
      // The next stream has other numbers, so the receivers have to begin again.
      List<LoopRelay> lost = streams;
      streams = List.of();
      lost.forEach(each -> each.execute(() -> leave(each)));
      link = Optional.empty();
    }

    @Override
    public void failed(String problem) {
      ended.fail(problem);
    }
  }

  /** Closes the connections of the receivers of a stream that is lost, on their loop. */
  private void leave(LoopRelay stream) {
    SenderStatistics counts = stream.senders().statistics().ended();
    past.updateAndGet(before -> before.plusCounts(counts));
    stream.senders().closeAll("the relay has lost the stream");
    stream.close();
  }

  /** Ends once the last source is known or given up, and all receivers have left. */
  private void awaitReceived(long end) {
    if (link.isEmpty() || link.get().receiver().orElseThrow().awaitEnd(end, System.nanoTime())) {
      List<LoopRelay> last = streams;
      client.end(""); // closes the receiver, too
      awaitLeft(last, 0);
    } else {
      Cancellable _ = carrier.loops().getFirst().schedule(() -> awaitReceived(end), POLL_NANOS);
    }
  }

  /** Ends once the receivers of all loops have left, asked for one loop after the other. */
  private void awaitLeft(List<LoopRelay> last, int index) {
    if (index == last.size()) {
      ended.end();
      return;
    }
    LiveSenders senders = last.get(index).senders();
    Cancellable _ =
        senders
            .loop()
            .schedule(
                () -> awaitLeft(last, senders.links().isEmpty() ? index + 1 : index), POLL_NANOS);
  }

  /**
   * Copies what has been received or solved to all loops.
   *
   * @param streams one for each loop
   */
  private record LoopTaps(List<LoopRelay> streams) implements LiveReceiver.Tap {
    @Override
    public void source(long id, MemorySegment source, long nowNanos) {
      MemorySegment copy = MemorySegment.ofArray(source.toArray(ValueLayout.JAVA_BYTE));
      streams.forEach(each -> each.execute(() -> each.tap().source(id, copy, nowNanos)));
    }

    @Override
    public void skipped(long first, long end, long nowNanos) {
      streams.forEach(each -> each.execute(() -> each.tap().skipped(first, end, nowNanos)));
    }
  }

  /** Reports to the origin; nothing is delivered here. */
  private static final class Output implements LiveOutput {
    private final Connection connection;

    Output(Connection connection) {
      this.connection = connection;
    }

    @Override
    public void packet(MemorySegment packet, long addedNanos) {}

    @Override
    public void gap(long sources) {}

    @Override
    public void report(MemorySegment report) {
      LivePath.sendReport(connection, report);
    }
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

  /** Returns the fingerprint by which receivers know this relay. */
  public Fingerprint fingerprint() {
    return server.fingerprint();
  }

  /** Returns the numbers of what was sent since the start. */
  public SenderStatistics statistics() {
    return SenderStatistics.sum(
            LiveSenders.ask(senders(), LiveSenders::statistics, SenderStatistics.NONE))
        .plusCounts(past.get());
  }

  /** Returns the numbers of what was received on the present connection. */
  public ReceiverStatistics received() {
    return ofUpstream(each -> each.receiver().orElseThrow().statistics(), ReceiverStatistics.NONE);
  }

  private <T> T ofUpstream(Function<LiveLink, T> question, T ifNone) {
    return carrier.loops().getFirst().call(() -> link.map(question).orElse(ifNone), ifNone);
  }

  private Snapshot snapshot() {
    LiveSnapshot sent = LiveSnapshot.of(senders());
    List<Snapshot.Peer> peers =
        new ArrayList<>(
            ofUpstream(each -> List.of(LiveSnapshot.peer(each, "sender", true)), List.of()));
    peers.addAll(sent.peers());
    ReceiverStatistics received =
        ofUpstream(each -> each.receiver().orElseThrow().glance(), ReceiverStatistics.NONE);
    return server.snapshot(
        "stream relay",
        engine,
        new LiveSnapshot(peers, sent.sent().plusCounts(past.get()), received));
  }

  /**
   * Waits until the stream has ended.
   *
   * @throws IOException if it cannot be received; the message names the server and the reason
   */
  public void awaitEnd() throws IOException, InterruptedException {
    ended.await();
  }

  /** Closes all connections. Idempotent. */
  @Override
  public void close() {
    client.stop();
    carrier.close();
    server.close();
    link.ifPresent(LiveLink::close);
    streams.forEach(LoopRelay::close);
    ended.end();
  }

  /** The stream on one loop: what has been received and solved, and the receivers. */
  private static final class LoopRelay {

    private final RelayWindow window;
    private final LiveSenders senders;
    private final RelayTap tap;

    LoopRelay(
        Engine engine,
        FlowShape shape,
        EndpointSettings settings,
        Optional<LiveMessage.Encryption> encryption,
        Loop loop) {
      this.window = new RelayWindow(engine, shape);
      this.senders = new LiveSenders(loop, window, settings, encryption);
      this.tap = new RelayTap(window, senders::addedLate, senders::added);
    }

    LiveSenders senders() {
      return senders;
    }

    /** Has a task run on the loop, after those before it. Any thread may call it. */
    void execute(Runnable task) {
      Cancellable _ = senders.loop().schedule(task, 0);
    }

    /** Returns what takes the sources that have been received or solved, on the loop. */
    RelayTap tap() {
      return tap;
    }

    /** Frees the window, after the connections of the receivers are closed. */
    void close() {
      window.close();
    }
  }
}
