package io.fieldstone.net.live;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.dashboard.Incidents;
import io.fieldstone.net.dashboard.Metrics;
import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.dashboard.StatusPages;
import io.fieldstone.net.shelf.ShelfServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The client of a tunnel: applications send to a UDP port, or through a TUN device, and reach what
 * the server is for. It connects again when the connection is lost.
 *
 * <p>Thread-safe. The caller owns the engine.
 */
public final class TunnelClient implements AutoCloseable {

  private final Engine engine;
  private final ClientSettings settings;
  private final long maxBytesPerSecond;
  private final boolean isCubic;
  private final LiveMessage.Purpose purpose;
  private final TunnelPort port;
  private final Carrier carrier;
  private final LiveClient client;
  private final LiveEnd ended = new LiveEnd();

  /** Ends once it is connected, or has failed before. */
  private final LiveEnd connected = new LiveEnd();

  private Optional<TunnelLink> link = Optional.empty();

  private TunnelClient(
      Engine engine,
      ClientSettings settings,
      long maxBytesPerSecond,
      boolean isCubic,
      LiveMessage.Purpose purpose,
      TunnelPort port) {
    this.engine = engine;
    this.settings = settings;
    this.maxBytesPerSecond = maxBytesPerSecond;
    this.isCubic = isCubic;
    this.purpose = purpose;
    this.port = port;
    this.carrier = QuicCarrier.openClient(LiveServer.transport());
    this.client = new LiveClient(settings, carrier, new User());
  }

  /**
   * Starts a tunnel from a UDP port.
   *
   * @param engine one of the cores is the right one
   * @param udp the port, which the client closes
   * @param maxBytesPerSecond the maximum rate of this end; {@link Long#MAX_VALUE} for none
   * @param isCubic true for CUBIC (RFC 9438) in place of the controller that tolerates random loss
   */
  public static TunnelClient fromUdp(
      Engine engine,
      ClientSettings settings,
      UdpSource udp,
      long maxBytesPerSecond,
      boolean isCubic) {
    engine.requireOpen();
    return start(
        engine,
        settings,
        maxBytesPerSecond,
        isCubic,
        LiveMessage.Purpose.UDP_TUNNEL,
        new UdpListenPort(udp));
  }

  /** Starts a tunnel from a TUN device, which the client closes; else as {@link #fromUdp}. */
  public static TunnelClient fromTun(
      Engine engine,
      ClientSettings settings,
      TunDevice device,
      long maxBytesPerSecond,
      boolean isCubic) {
    engine.requireOpen();
    return start(
        engine,
        settings,
        maxBytesPerSecond,
        isCubic,
        LiveMessage.Purpose.TUN_TUNNEL,
        new TunPort(device));
  }

  private static TunnelClient start(
      Engine engine,
      ClientSettings settings,
      long maxBytesPerSecond,
      boolean isCubic,
      LiveMessage.Purpose purpose,
      TunnelPort port) {
    TunnelClient tunnel =
        new TunnelClient(engine, settings, maxBytesPerSecond, isCubic, purpose, port);
    tunnel.client.start();
    return tunnel;
  }

  /** What the connection calls, on its loop. */
  private final class User implements LiveClient.User {
    @Override
    public LiveMessage.Hello hello() {
      return new LiveMessage.Hello(
          LiveMessage.VERSION, purpose, settings.token(), 0, Optional.of(TunnelLink.shape()));
    }

    @Override
    public Optional<LiveLink> accepted(LiveMessage.Accept accept, Connection connection) {
      TunnelLink opened =
          new TunnelLink(engine, connection, accept.flow(), port, maxBytesPerSecond, isCubic);
      try {
        port.connect(new PacketQueue(carrier.loops().getFirst(), opened::send));
      } catch (IOException e) {
        opened.close();
        failed(String.valueOf(e.getMessage()));
        return Optional.empty();
      }
      link = Optional.of(opened);
      connected.end();
      return Optional.of(opened.link());
    }

    @Override
    public void ended(long end) {}

    @Override
    public void lost() {
      link.ifPresent(TunnelLink::close);
      link = Optional.empty();
    }

    @Override
    public void failed(String problem) {
      client.end(problem);
      connected.fail(problem);
      ended.fail(problem);
    }
  }

  /**
   * Waits until the first connection is there.
   *
   * @throws IOException if it does not come about; the message names the server and the reason
   */
  public void awaitConnected() throws IOException, InterruptedException {
    connected.await();
  }

  /**
   * Waits until the tunnel has failed for good, for a time at most.
   *
   * @throws IOException if it has; the message names the server and the reason
   */
  public void awaitFailure(Duration most) throws IOException, InterruptedException {
    boolean _ = ended.await(most);
  }

  /** Returns the address of the server in use, if there is one. */
  public Optional<InetSocketAddress> server() {
    return onLoop(
        () -> link.map(each -> each.link().connection().remoteAddress()), Optional.empty());
  }

  /** Returns the numbers of the present connection. */
  public TunnelStatistics statistics() {
    return onLoop(
        () -> link.map(TunnelLink::statistics).orElse(TunnelStatistics.NONE),
        TunnelStatistics.NONE);
  }

  /**
   * Begins to show the dashboard over HTTP. The caller closes it before this.
   *
   * @param address where it answers; port 0 chooses one
   * @throws IOException as {@link StatusPages} does
   */
  public StatusPages openPages(InetSocketAddress address) throws IOException {
    Metrics metrics =
        TunnelStatistics.metrics(
            () ->
                onLoop(
                    () -> link.map(TunnelLink::glance).orElse(TunnelStatistics.NONE),
                    TunnelStatistics.NONE),
            () -> server().isPresent() ? 1 : 0);
    return new StatusPages(
        ShelfServer.resolved(address), settings.token(), metrics, this::snapshot);
  }

  private Snapshot snapshot() {
    return onLoop(() -> link.map(TunnelClient::shown).orElse(LiveSnapshot.NONE), LiveSnapshot.NONE)
        .with(settings.self("tunnel client", engine), new Incidents());
  }

  private static LiveSnapshot shown(TunnelLink tunnel) {
    TunnelStatistics both = tunnel.glance();
    return new LiveSnapshot(
        List.of(LiveSnapshot.peer(tunnel.link(), "server", true)), both.sent(), both.received());
  }

  private <T> T onLoop(Supplier<T> task, T ifClosed) {
    return carrier.loops().getFirst().call(task, ifClosed);
  }

  /** Closes the connection and the port. Idempotent. */
  @Override
  public void close() {
    client.stop();
    carrier.close();
    port.close();
    link.ifPresent(TunnelLink::close);
    connected.end();
    ended.end();
  }
}
