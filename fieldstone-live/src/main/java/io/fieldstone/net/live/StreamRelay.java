package io.fieldstone.net.live;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.dashboard.Metrics;
import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.server.EndpointSettings;
import io.fieldstone.net.session.CloseCode;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.rlnc.window.Delivery;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Passes a live stream on: receives it from a server or another relay, and sends it to any number
 * of receivers, each with the repairs that its path needs. Sources leave as they arrive or are
 * solved; repairs combine all that the relay has, without waiting for what is missing. It reads
 * nothing of an encrypted stream.
 *
 * <p>Each hop has the deadline of the stream. Receivers are refused while the relay has no stream;
 * they connect again. Thread-safe. The caller owns the engine.
 */
public final class StreamRelay implements AutoCloseable {

  private static final long POLL_NANOS = 5_000_000;

  private final Engine engine;
  private final LiveServer server;
  private final LiveClient client;
  private final ClientSettings upstream;
  private final LiveEnd ended = new LiveEnd();
  private final Downstream downstream = new Downstream();

  // The present stream, on the loop.
  private Optional<LiveSenders> senders = Optional.empty();
  private Optional<RelayWindow> window = Optional.empty();
  private Optional<LiveLink> link = Optional.empty();
  private SenderStatistics past = SenderStatistics.NONE;

  /** Whether all of a stream that has ended is known or given up. */
  private boolean isReceived;

  private StreamRelay(
      Engine engine, ClientSettings upstream, EndpointSettings endpoint, LiveServer server) {
    this.engine = engine;
    this.upstream = upstream;
    this.server = server;
    this.client = new LiveClient(upstream, server.carrier(), new Upstream(endpoint));
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
          relay.downstream,
          new Metrics(LiveSnapshot.METRICS, SenderStatistics.GAUGES, relay::statistics),
          relay::snapshot);
      relay.client.start();
      return relay;
    } catch (IOException | RuntimeException e) {
      relay.close();
      throw e;
    }
  }

  /** Answers receivers, of whichever stream is there. */
  private final class Downstream implements LiveService {
    @Override
    public LiveMessage.Purpose purpose() {
      return LiveMessage.Purpose.STREAM;
    }

    @Override
    public Optional<Opened> open(LiveMessage.Hello hello, Connection connection) {
      if (senders.isEmpty()) {
        connection.close(CloseCode.STOPPING, "the relay has no stream at this moment");
        return Optional.empty();
      }
      return senders.get().open(hello, connection);
    }

    @Override
    public void closed(LiveLink closed) {
      senders.ifPresent(each -> each.closed(closed));
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
      RelayWindow opened = new RelayWindow(engine, accept.flow());
      LiveSenders all = new LiveSenders(opened, endpoint, accept.encryption());
      window = Optional.of(opened);
      senders = Optional.of(all);
      LiveReceiver receiver =
          new LiveReceiver(
              engine,
              accept.flow(),
              Delivery.AS_DECODED,
              new Output(connection),
              Optional.of(new RelayTap(opened, all::addedLate, all::added)));
      link = Optional.of(new LiveLink(connection, Optional.empty(), Optional.of(receiver)));
      return link;
    }

    @Override
    public void ended(long end) {
      senders.ifPresent(each -> each.end(end));
      awaitLast(end);
    }

    @Override
    public void lost() {
      // The next stream has other numbers, so the receivers have to begin again.
      senders.ifPresent(each -> {
        past = each.statistics().ended();
        each.closeAll("the relay has lost the stream");
      });
      senders = Optional.empty();
      window.ifPresent(RelayWindow::close);
      window = Optional.empty();
      link = Optional.empty();
    }

    @Override
    public void failed(String problem) {
      ended.fail(problem);
    }
  }

  /** Ends once the last source is known or given up, and all receivers have left. */
  private void awaitLast(long end) {
    if (!isReceived) {
      isReceived =
          link.isEmpty() || link.get().receiver().orElseThrow().awaitEnd(end, System.nanoTime());
      if (isReceived) {
        client.end(""); // closes the receiver, too
      }
    }
    if (isReceived && senders.map(each -> each.links().isEmpty()).orElse(true)) {
      ended.end();
    } else {
      Cancellable _ = server.loop().schedule(() -> awaitLast(end), POLL_NANOS);
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
    return server.onLoop(
        () -> senders.map(each -> each.statistics().plusCounts(past)).orElse(past),
        SenderStatistics.NONE);
  }

  /** Returns the numbers of what was received on the present connection. */
  public ReceiverStatistics received() {
    return server.onLoop(
        () ->
            link.map(each -> each.receiver().orElseThrow().statistics())
                .orElse(ReceiverStatistics.NONE),
        ReceiverStatistics.NONE);
  }

  private Snapshot snapshot() {
    return server.snapshot("stream relay", engine, this::shown);
  }

  private LiveSnapshot shown() {
    List<Snapshot.Peer> peers = new ArrayList<>();
    link.ifPresent(each -> peers.add(LiveSnapshot.peer(each, "sender", true)));
    senders.ifPresent(each -> peers.addAll(each.peers()));
    return new LiveSnapshot(
        peers,
        senders.map(each -> each.statistics().plusCounts(past)).orElse(past),
        link.map(each -> each.receiver().orElseThrow().glance()).orElse(ReceiverStatistics.NONE));
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
    server.close();
    link.ifPresent(LiveLink::close);
    window.ifPresent(RelayWindow::close);
    ended.end();
  }
}
