package io.fieldstone.net.live;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.session.CloseCode;
import io.fieldstone.net.shelf.ShelfServer;
import io.fieldstone.net.trust.Fingerprint;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The server of tunnels: hides the loss of the path to each client from what is inside. Clients
 * reach one UDP port, or exchange packets with a TUN device.
 *
 * {@snippet :
 * try (Engine engine = Engine.open("cpu");
 *     TunnelServer server = TunnelServer.toUdp(engine, EndpointSettings.of(state), target)) {
 *   Thread.sleep(Duration.ofHours(1));
 * }
 * }
 *
 * <p>Thread-safe. The caller owns the engine.
 */
public final class TunnelServer implements AutoCloseable {

  private static final Logger LOGGER = System.getLogger(TunnelServer.class.getName());

  private final Engine engine;
  private final LiveServer server;
  private final LiveMessage.Purpose purpose;
  private final Supplier<TunnelPort> ports;

  /** Whether clients share a port, so that only the latest one has it. */
  private final boolean isShared;

  private final Map<LiveLink, TunnelLink> links = new HashMap<>();
  private final Map<LiveLink, TunnelPort> portsInUse = new HashMap<>();

  private TunnelServer(
      Engine engine,
      LiveServer server,
      LiveMessage.Purpose purpose,
      Supplier<TunnelPort> ports,
      boolean isShared) {
    this.engine = engine;
    this.server = server;
    this.purpose = purpose;
    this.ports = ports;
    this.isShared = isShared;
  }

  /**
   * Starts a server whose clients reach a UDP port.
   *
   * @param engine one of the cores is the right one
   * @param target the address of the port
   * @throws java.net.BindException if an address is in use
   * @throws IOException if the identity is not valid
   */
  public static TunnelServer toUdp(
      Engine engine, EndpointSettings endpoint, InetSocketAddress target) throws IOException {
    engine.requireOpen();
    InetSocketAddress resolved = ShelfServer.resolved(target);
    return start(
        engine, endpoint, LiveMessage.Purpose.UDP_TUNNEL, () -> new UdpTargetPort(resolved), false);
  }

  /** Starts a server whose client reaches a TUN device. The server closes the device. */
  public static TunnelServer toTun(Engine engine, EndpointSettings endpoint, TunDevice device)
      throws IOException {
    engine.requireOpen();
    TunPort port = new TunPort(device);
    return start(engine, endpoint, LiveMessage.Purpose.TUN_TUNNEL, () -> port, true);
  }

  private static TunnelServer start(
      Engine engine,
      EndpointSettings endpoint,
      LiveMessage.Purpose purpose,
      Supplier<TunnelPort> ports,
      boolean isShared)
      throws IOException {
    LiveServer server = LiveServer.open(endpoint, 1);
    TunnelServer tunnel = new TunnelServer(engine, server, purpose, ports, isShared);
    try {
      Service service = tunnel.new Service();
      server.listen(
          _ -> service,
          TunnelStatistics.metrics(tunnel::statistics, tunnel::clients),
          () ->
              server.snapshot(
                  "tunnel server", engine, server.onLoop(tunnel::shown, LiveSnapshot.NONE)));
      return tunnel;
    } catch (IOException | RuntimeException e) {
      tunnel.close();
      throw e;
    }
  }

  /** Opens the flows of clients. */
  private final class Service implements LiveService {
    @Override
    public LiveMessage.Purpose purpose() {
      return purpose;
    }

    @Override
    public void open(LiveMessage.Hello hello, Connection connection, Consumer<Opened> accepted) {
      if (hello.flow().isEmpty()) {
        connection.close(CloseCode.MALFORMED, "a tunnel without a flow");
        return;
      }
      if (isShared) {
        // A client that comes back from elsewhere takes its device over.
        List.copyOf(links.keySet())
            .forEach(each -> each.connection().close(CloseCode.FULL, "another client came"));
      }
      TunnelPort port = ports.get();
      EndpointSettings settings = server.settings();
      TunnelLink tunnel =
          new TunnelLink(
              engine,
              connection,
              hello.flow().get(),
              port,
              settings.maxBytesPerSecond(),
              settings.isCubic());
      try {
        port.connect(new PacketQueue(server.loop(), tunnel::send));
      } catch (IOException e) {
        LOGGER.log(Level.WARNING, "cannot open a port: {0}", e.getMessage());
        tunnel.close();
        connection.close(CloseCode.LIMIT, "the server cannot open a port");
        return;
      }
      links.put(tunnel.link(), tunnel);
      portsInUse.put(tunnel.link(), port);
      LiveMessage answer =
          new LiveMessage.Accept(LiveMessage.VERSION, TunnelLink.shape(), Optional.empty());
      accepted.accept(new Opened(tunnel.link(), List.of(answer)));
    }

    @Override
    public void closed(LiveLink link) {
      TunnelLink tunnel = links.remove(link);
      TunnelPort port = portsInUse.remove(link);
      if (tunnel != null) {
        tunnel.close();
      }
      if (port != null && !isShared) {
        port.close();
      }
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

  /** Returns the fingerprint by which clients know this server. */
  public Fingerprint fingerprint() {
    return server.fingerprint();
  }

  /** Returns the clients at this moment. */
  public int clients() {
    return server.onLoop(links::size, 0);
  }

  /** Returns the numbers of the client that has sent most. */
  public TunnelStatistics statistics() {
    return server.onLoop(
        () ->
            links.values().stream()
                .map(TunnelLink::statistics)
                .max(Comparator.comparingLong(each -> each.received().delivered()))
                .orElse(TunnelStatistics.NONE),
        TunnelStatistics.NONE);
  }

  private LiveSnapshot shown() {
    List<TunnelStatistics> all = links.values().stream().map(TunnelLink::glance).toList();
    return new LiveSnapshot(
        links.keySet().stream().map(link -> LiveSnapshot.peer(link, "client", false)).toList(),
        SenderStatistics.sum(all.stream().map(TunnelStatistics::sent).toList()),
        all.stream()
            .map(TunnelStatistics::received)
            .reduce(ReceiverStatistics.NONE, ReceiverStatistics::plus));
  }

  /** Closes the connections and the ports. Idempotent. */
  @Override
  public void close() {
    server.close();
    links.values().forEach(TunnelLink::close);
    portsInUse.values().forEach(TunnelPort::close);
    if (isShared) {
      ports.get().close();
    }
  }
}
