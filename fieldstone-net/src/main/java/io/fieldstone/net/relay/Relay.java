package io.fieldstone.net.relay;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.Loop;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.endpoint.Endpoint;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.endpoint.ServerStatus;
import io.fieldstone.net.events.NetworkEvents;
import io.fieldstone.net.peers.KnownServers;
import io.fieldstone.net.peers.ServerTrust;
import io.fieldstone.net.server.ServerSettings;
import io.fieldstone.net.shelf.LoopShelf;
import io.fieldstone.net.shelf.SenderLimits;
import io.fieldstone.net.shelf.ShelfServer;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.net.trust.Identity;
import io.fieldstone.rlnc.object.Conviction;
import io.fieldstone.rlnc.object.GenerationCache;
import io.fieldstone.rlnc.object.GenerationLoad;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Relays objects of servers and other relays. It fetches the generations that its clients ask for,
 * verifies them, keeps them on the disk, and sends them as source blocks and newly coded blocks. So
 * it never passes on a wrong byte. An <i>immediate</i> relay also recodes generations of which it
 * has some blocks only.
 *
 * {@snippet :
 * RelaySettings settings = RelaySettings.of(List.of(server), state);
 * try (Engine engine = Engine.open("auto");
 *     Relay relay = Relay.start(engine, settings)) {
 *   System.out.println(relay.address() + " " + relay.fingerprint());
 *   relay.awaitEnd();
 * }
 * }
 *
 * <p>Thread-safe. The caller owns the engine, which must stay open until the relay is closed.
 */
public final class Relay implements Endpoint {

  private static final Logger LOGGER = System.getLogger(Relay.class.getName());

  /** The folder of the cache, in that of the state. */
  private static final String CACHE = "relayed";

  /** The time that upstream peers have to answer before clients are accepted. */
  private static final long FIRST_ANSWER_NANOS = 3_000_000_000L;

  /** The time in which changes are collected before clients are notified. */
  private static final long UPDATE_NANOS = 50_000_000;

  private static final long STALL_NANOS = 10_000_000_000L;
  private static final long REFRESH_NANOS = 2_000_000_000;
  private static final long END_SECONDS = 5;

  private final Engine engine;
  private final RelaySettings settings;
  private final long stallNanos;
  private final Identity identity;
  private final Carrier carrier;
  private final Loop loop;
  private final ServerTrust trust;
  private final GenerationCache memory;
  private final DiskCache disk;
  private final ExecutorService workers;
  private final SecureRandom seeds = new SecureRandom();
  private final RelayCatalogue catalogue = new RelayCatalogue();
  private final List<Upstream> upstreams = new ArrayList<>();
  private final Context context = new Context();
  private final RelayShelf shelf;
  private final ShelfServer clients;
  private final CountDownLatch tried = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean isClosed;
  private boolean isUpdating;

  /** That of which the catalogue was made. */
  private List<CurrentLines.Offered> listedOffers = List.of();

  private Set<CatalogueEntry> listedOwn = Set.of();

  private Relay(
      Engine engine, RelaySettings settings, long stallNanos, Identity identity, DiskCache disk) {
    this.engine = engine;
    this.settings = settings;
    this.stallNanos = stallNanos;
    this.identity = identity;
    this.disk = disk;
    // One loop, so that connections to clients and upstream peers share a thread.
    this.carrier = QuicCarrier.open(ShelfServer.transport(settings.maxBlockSize()), identity);
    this.loop = carrier.loops().getFirst();
    this.trust = new ServerTrust(settings.trusted(), settings.endpoint().state());
    this.memory =
        new GenerationCache(engine, Math.max(1, settings.endpoint().memoryBytes() / 2), this::read);
    this.workers =
        Executors.newFixedThreadPool(
            settings.endpoint().threads(),
            Thread.ofPlatform().daemon().name("fieldstone-relay-", 0).factory());
    this.shelf = new RelayShelf(context, catalogue);
    this.clients =
        new ShelfServer(
            carrier,
            List.of(new LoopShelf(loop, memory, shelf)),
            SenderLimits.of(settings.endpoint(), ServerSettings.DEFAULT_SHAPE.blockSize()));
  }

  /**
   * Connects to the upstream peers and begins to listen. Peers that do not answer within 3 s are
   * waited for in the background.
   *
   * @param engine decodes, keeps and encodes generations
   * @throws java.net.BindException if the address is in use
   * @throws IOException if the state cannot be used
   */
  public static Relay start(Engine engine, RelaySettings settings)
      throws IOException, InterruptedException {
    return start(engine, settings, STALL_NANOS);
  }

  static Relay start(Engine engine, RelaySettings settings, long stallNanos)
      throws IOException, InterruptedException {
    engine.requireOpen();
    EndpointSettings endpoint = settings.endpoint();
    InetSocketAddress address = ShelfServer.resolved(endpoint.listen());
    Identity identity = Identity.openRelay(endpoint.state(), Instant.now());
    DiskCache disk = DiskCache.open(endpoint.state().resolve(CACHE), settings.cacheBytes());
    Relay relay = new Relay(engine, settings, stallNanos, identity, disk);
    try {
      Cancellable _ = relay.loop.schedule(relay::connect, 0);
      boolean _ = relay.tried.await(FIRST_ANSWER_NANOS, TimeUnit.NANOSECONDS);
      relay.clients.listen(address);
      relay.clients.openPages(endpoint, relay::snapshot);
      relay.clients.openForBrowsers(endpoint);
      return relay;
    } catch (IOException | InterruptedException | RuntimeException e) {
      relay.close();
      throw e;
    }
  }

  /** Reads a generation from the disk on another thread. */
  private void read(GenerationLoad load) {
    context.work(() -> {
      NetworkEvents.load(load);
      context.onLoop(load::finish);
    });
  }

  private void connect() {
    settings.from().forEach(address -> upstreams.add(new Upstream(context, address)));
    update();
    upstreams.forEach(Upstream::connect);
    refresh();
  }

  private void refresh() {
    clients.refresh();
    context.onLoop(this::refresh, REFRESH_NANOS);
  }

  /** Makes the catalogue again, and notifies objects and clients of what has changed. */
  private void update() {
    isUpdating = false;
    List<CatalogueEntry> own = new ArrayList<>(disk.complete());
    for (RelayedObject object : shelf.objects()) {
      if (object.isComplete()) {
        own.addAll(object.entries());
      }
    }
    List<CurrentLines.Offered> offers = upstreams.stream().map(Upstream::offered).toList();
    boolean isChanged = false;
    // Clients open and close objects all the time, which rarely changes a line.
    if (!offers.equals(listedOffers) || !Set.copyOf(own).equals(listedOwn)) {
      listedOffers = offers;
      listedOwn = Set.copyOf(own);
      isChanged =
          catalogue.update(
              CurrentLines.of(own, offers), upstreams.stream().map(Upstream::entries).toList());
    }
    shelf.objects().forEach(RelayedObject::upstreamChanged);
    if (isChanged) {
      clients.catalogueChanged();
    }
    if (upstreams.stream().allMatch(Upstream::isTried)) {
      tried.countDown();
    }
  }

  @Override
  public InetSocketAddress address() {
    return clients.address();
  }

  @Override
  public Optional<InetSocketAddress> httpAddress() {
    return clients.httpAddress();
  }

  @Override
  public Optional<InetSocketAddress> browserAddress() {
    return clients.browserAddress();
  }

  @Override
  public Fingerprint fingerprint() {
    return identity.fingerprint();
  }

  @Override
  public List<CatalogueEntry> catalogue() {
    return catalogue.entries();
  }

  /** Returns what the dashboard shows of this relay. */
  public Snapshot snapshot() {
    EndpointSettings endpoint = settings.endpoint();
    Snapshot.Self self =
        Snapshot.Self.of(
            settings.isImmediate() ? "immediate relay" : "relay",
            KnownServers.name(address()),
            fingerprint().toString(),
            engine.description(),
            new Snapshot.Pace(endpoint.maxBytesPerSecond(), endpoint.isCubic()));
    return clients.snapshot(self, () -> upstreams.stream().map(Upstream::peer).toList());
  }

  /** Returns the numbers of this relay. */
  public ServerStatus status() {
    return clients.status();
  }

  @Override
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /**
   * Closes the connections of the clients with the reason that the relay stops, and ends. The cache
   * stays. Idempotent.
   */
  @Override
  public void close() {
    isClosed = true;
    ended.countDown();
    clients.close();
    workers.shutdown();
    boolean isInterrupted = Thread.interrupted();
    try {
      boolean _ = workers.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      isInterrupted = true;
    }
    carrier.close();
    // The loop has ended, so this thread has all for itself.
    shelf.close();
    memory.close();
    disk.close();
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Gives the parts of this relay access to each other. */
  private final class Context implements RelayContext {
    @Override
    public RelaySettings settings() {
      return settings;
    }

    @Override
    public long stallNanos() {
      return stallNanos;
    }

    @Override
    public Engine engine() {
      return engine;
    }

    @Override
    public Carrier carrier() {
      return carrier;
    }

    @Override
    public ServerTrust trust() {
      return trust;
    }

    @Override
    public GenerationCache memory() {
      return memory;
    }

    @Override
    public DiskCache disk() {
      return disk;
    }

    @Override
    public List<Upstream> upstreams() {
      return upstreams;
    }

    @Override
    public long hashBytes() {
      return shelf.hashBytes();
    }

    @Override
    public List<CatalogueEntry> listed(Sha256 id) {
      return catalogue.entries(id);
    }

    @Override
    public boolean isClosed() {
      return isClosed;
    }

    @Override
    public long nextSeed() {
      return seeds.nextLong();
    }

    @Override
    public void work(Runnable task) {
      try {
        workers.execute(task);
      } catch (RejectedExecutionException _) {
        // The relay ends.
      }
    }

    @Override
    public void onLoop(Runnable task, long delayNanos) {
      Cancellable _ =
          loop.schedule(
              () -> {
                if (!isClosed) {
                  task.run();
                }
              },
              delayNanos);
    }

    @Override
    public void upstreamChanged() {
      if (!isUpdating) {
        isUpdating = true;
        onLoop(Relay.this::update, UPDATE_NANOS);
      }
    }

    @Override
    public void objectCompleted() {
      upstreamChanged();
    }

    @Override
    public void objectEnded() {
      onLoop(clients::objectsEnded, 0);
      upstreamChanged();
    }

    @Override
    public void released(RelayedObject object) {
      shelf.released(object);
      upstreamChanged();
    }

    @Override
    public void convicted(
        Upstream guilty, Optional<Fingerprint> identity, Conviction conviction, Sha256 object) {
      String reason = conviction.reason(object);
      boolean isBanned = trust.convict(guilty.name(), identity, reason, conviction.isProof());
      LOGGER.log(
          Level.WARNING,
          "{0}: {1}, because it {2}",
          guilty.name(),
          isBanned ? "banned" : "dropped",
          reason);
      NetworkEvents.convicted(guilty.name(), reason, isBanned);
      clients
          .incidents()
          .add(guilty.name(), (isBanned ? "banned" : "dropped") + ", because it " + reason);
      for (Upstream upstream : upstreams) {
        if (identity.isPresent()
            ? upstream.fingerprint().equals(identity)
            : upstream.equals(guilty)) {
          upstream.ban(reason);
        }
      }
    }
  }
}
