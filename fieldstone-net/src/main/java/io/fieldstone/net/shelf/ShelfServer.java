package io.fieldstone.net.shelf;

import io.fieldstone.net.browser.BrowserEndpoint;
import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.carrier.Listener;
import io.fieldstone.net.carrier.Loop;
import io.fieldstone.net.carrier.quic.QuicOptions;
import io.fieldstone.net.dashboard.Incidents;
import io.fieldstone.net.dashboard.Metrics;
import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.dashboard.StatusPages;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.endpoint.ServerStatus;
import io.fieldstone.net.pacing.TotalRate;
import io.fieldstone.net.session.AnswerBudget;
import io.fieldstone.net.session.ClientWarnings;
import io.fieldstone.net.session.CloseCode;
import io.fieldstone.net.session.SenderPacing;
import io.fieldstone.net.session.ServerSession;
import io.fieldstone.net.session.SessionCounters;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Offers shelves to any number of clients: listens, makes a session for each, and offers the status
 * over HTTP.
 *
 * <p>Thread-safe. The caller owns the carrier and closes it after this.
 */
public final class ShelfServer implements AutoCloseable {

  /** The maximum number of clients at once. */
  public static final int MAX_CLIENTS = 10_000;

  /** The bytes of a UDP payload beside the block: at most 64 of QUIC, and those of the packet. */
  private static final int MAX_HEADER_BYTES = 96;

  /** The numbers of the status that do not only grow. */
  private static final Set<String> GAUGES =
      Set.of("files", "clients", "generations", "generationBytes");

  private final Carrier carrier;
  private final List<LoopShelf> shelves;
  private final SenderLimits limits;
  private final TotalRate rate;
  private final SessionCounters counters = new SessionCounters();
  private final ClientWarnings warnings = new ClientWarnings();
  private final AnswerBudget budget = AnswerBudget.ofHeap();
  private final Map<ServerSession, Connection> sessions = new ConcurrentHashMap<>();
  private Optional<Listener> listener = Optional.empty();
  private Optional<StatusPages> pages = Optional.empty();
  private Optional<BrowserEndpoint> browsers = Optional.empty();
  private final Map<Loop, HeldGenerations> held = new ConcurrentHashMap<>();

  /** The numbers of a cache when they were last read. */
  private record HeldGenerations(long generations, long bytes) {}

  /**
   * Creates a server, which does not listen yet.
   *
   * @param carrier listens
   * @param shelves one for each loop of the carrier; all have the same entries
   * @param limits how fast senders may be
   */
  public ShelfServer(Carrier carrier, List<LoopShelf> shelves, SenderLimits limits) {
    this.carrier = carrier;
    this.shelves = List.copyOf(shelves);
    this.limits = limits;
    this.rate = new TotalRate(limits.maxBytesPerSecond());
  }

  /** Returns options by which a block fits a packet, where the path and the client carry it. */
  public static QuicOptions transport(int blockSize) {
    return QuicOptions.DEFAULT.withMaxUdpBytes(
        Math.max(QuicOptions.DEFAULT.maxUdpBytes(), blockSize + MAX_HEADER_BYTES));
  }

  /**
   * Begins to listen. Called once.
   *
   * @throws java.net.BindException if an address is in use
   * @throws UnknownHostException if a host is unknown
   */
  public void listen(InetSocketAddress address) throws IOException {
    listener = Optional.of(carrier.listen(resolved(address), this::accept));
  }

  /**
   * Begins to answer over HTTP, if the settings have an address for that. Called once.
   *
   * @param snapshots what the dashboard shows
   * @throws IOException as {@link StatusPages} does
   */
  public void openPages(EndpointSettings settings, Supplier<Snapshot> snapshots)
      throws IOException {
    if (settings.http().isPresent()) {
      Metrics metrics = new Metrics("fieldstone_", GAUGES, this::status);
      pages =
          Optional.of(
              new StatusPages(
                  resolved(settings.http().get()), settings.token(), metrics, snapshots));
    }
  }

  /**
   * Begins to accept browsers, if the settings have an address for them. Called once.
   *
   * @throws java.net.BindException if the address is in use, by TCP or UDP
   */
  public void openForBrowsers(EndpointSettings settings) throws IOException {
    if (settings.browsers().isPresent()) {
      InetSocketAddress address = resolved(settings.browsers().get());
      browsers =
          Optional.of(
              BrowserEndpoint.open(
                  carrier,
                  address,
                  BrowserEndpoint.Content.FILES,
                  !settings.token().isEmpty(),
                  this::accept));
    }
  }

  /** Returns the address of the page for browsers, if there is one. */
  public Optional<InetSocketAddress> browserAddress() {
    return browsers.map(BrowserEndpoint::address);
  }

  /**
   * Returns what the dashboard shows. Not to be called on a loop.
   *
   * @param self the process
   * @param sources gives the peers from which it receives; called on the first loop
   */
  public Snapshot snapshot(Snapshot.Self self, Supplier<List<Snapshot.Peer>> sources) {
    List<Snapshot.Peer> peers = new ArrayList<>(shelves.getFirst().loop().call(sources, List.of()));
    Map<String, Snapshot.Item> items = new LinkedHashMap<>();
    for (LoopShelf each : shelves) {
      peers.addAll(each.loop().call(() -> clientsOf(each), List.of()));
      List<Snapshot.Item> sent = each.loop().call(each.shelf()::items, List.of());
      sent.forEach(item -> items.merge(item.id(), item, Snapshot.Item::plus));
    }
    ServerStatus status = status();
    return Snapshot.of(
        self.with(status.files(), status.generations(), status.generationBytes()),
        peers,
        List.copyOf(items.values()),
        Optional.empty(),
        warnings.incidents());
  }

  /** Returns the clients of a loop, those that came first before others. On the loop. */
  private List<Snapshot.Peer> clientsOf(LoopShelf own) {
    return sessions.entrySet().stream()
        .filter(each -> each.getValue().loop().equals(own.loop()))
        .flatMap(each -> each.getKey().peer().stream())
        .sorted(Comparator.comparingDouble(Snapshot.Peer::seconds).reversed())
        .toList();
  }

  /** Returns what happened to peers, to which others of the same process may be added. */
  public Incidents incidents() {
    return warnings.incidents();
  }

  /**
   * Resolves the host of an address.
   *
   * @throws UnknownHostException if it is unknown
   */
  public static InetSocketAddress resolved(InetSocketAddress address) throws UnknownHostException {
    InetSocketAddress resolved = new InetSocketAddress(address.getHostString(), address.getPort());
    if (resolved.isUnresolved()) {
      throw new UnknownHostException("unknown host: " + address.getHostString());
    }
    return resolved;
  }

  private ConnectionHandler accept(Connection connection) {
    SenderPacing pacing =
        new SenderPacing(
            limits.maxBytesPerSecond(), limits.isCubic(), limits.packetBytes(), rate.open());
    LoopShelf own = shelfOf(connection.loop());
    ServerSession[] session = new ServerSession[1];
    session[0] =
        new ServerSession(
            own.shelf(),
            pacing,
            limits.maxBytesPerSecond(),
            counters,
            warnings,
            budget,
            () -> {
              sessions.remove(session[0]);
              readCacheNumbers(own);
            });
    sessions.put(session[0], connection);
    if (sessions.size() > MAX_CLIENTS) {
      String text = "the server has %d clients".formatted(MAX_CLIENTS);
      counters.refused.increment();
      warnings.warn(connection.remoteAddress(), "full", "refused: " + text);
      connection.close(CloseCode.FULL, text);
    }
    return session[0];
  }

  private LoopShelf shelfOf(Loop loop) {
    return shelves.stream().filter(each -> each.loop().equals(loop)).findAny().orElseThrow();
  }

  /** Sends all clients that have asked for it the changed catalogue. */
  public void catalogueChanged() {
    sessions.forEach((session, connection) -> connection.execute(session::catalogueChanged));
  }

  /** Ends at all clients the objects that can be sent no more. */
  public void objectsEnded() {
    sessions.forEach((session, connection) -> connection.execute(session::objectsEnded));
  }

  /**
   * Brings the numbers of {@link #status} up to date, which it is not by itself, and logs how many
   * warnings were suppressed. Call it every few seconds.
   */
  public void refresh() {
    warnings.logSuppressed();
    for (LoopShelf each : shelves) {
      var _ = each.loop().schedule(() -> readCacheNumbers(each), 0);
    }
  }

  /** Reads the numbers of a cache, on the loop that uses it. */
  private void readCacheNumbers(LoopShelf own) {
    held.put(own.loop(), new HeldGenerations(own.cache().generations(), own.cache().bytes()));
  }

  /** Returns the address, with the port that was chosen. */
  public InetSocketAddress address() {
    return listener.orElseThrow().localAddress();
  }

  /** Returns the address of the status over HTTP, if there is one. */
  public Optional<InetSocketAddress> httpAddress() {
    return pages.map(StatusPages::address);
  }

  /** Returns the numbers of this server. */
  public ServerStatus status() {
    return new ServerStatus(
        shelves.getFirst().shelf().entries().size(),
        sessions.size(),
        counters.sessions.sum(),
        counters.refused.sum(),
        counters.objects.sum(),
        counters.packetsSent.sum(),
        counters.bytesSent.sum(),
        counters.packetsLost.sum(),
        counters.reports.sum(),
        held.values().stream().mapToLong(HeldGenerations::generations).sum(),
        held.values().stream().mapToLong(HeldGenerations::bytes).sum());
  }

  /**
   * Closes the connections of the clients with the reason that the server stops. The clients
   * connect again when it is back. Idempotent.
   */
  @Override
  public void close() {
    pages.ifPresent(StatusPages::close);
    sessions
        .values()
        .forEach(connection -> connection.close(CloseCode.STOPPING, "the server stops"));
    listener.ifPresent(Listener::close);
    browsers.ifPresent(BrowserEndpoint::close);
  }
}
