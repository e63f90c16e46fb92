package io.fieldstone.net.server;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.Loop;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.catalogue.Catalogue;
import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.endpoint.Endpoint;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.endpoint.ServerStatus;
import io.fieldstone.net.peers.AccessToken;
import io.fieldstone.net.peers.KnownServers;
import io.fieldstone.net.shelf.LoopShelf;
import io.fieldstone.net.shelf.SenderLimits;
import io.fieldstone.net.shelf.ShelfServer;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.net.trust.Identity;
import io.fieldstone.rlnc.object.GenerationCache;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Serves files to any number of clients. Generations that clients want are kept in memory and on an
 * engine; nothing is sent that was not asked for.
 *
 * {@snippet :
 * ServerSettings settings = ServerSettings.of(List.of(folder), EndpointSettings.of(state));
 * try (Engine engine = Engine.open("auto");
 *     Server server = Server.start(engine, settings, ProgressListener.NONE)) {
 *   System.out.println(server.address() + " " + server.fingerprint());
 *   server.awaitEnd();
 * }
 * }
 *
 * <p>Thread-safe. The caller owns the engine, which must stay open until the server is closed.
 */
public final class Server implements Endpoint {

  private static final Logger LOGGER = System.getLogger(Server.class.getName());

  /** The divisor of the interval between scans if a folder has changed. */
  private static final int HASTE = 8;

  private final Engine engine;
  private final StartProgress start = new StartProgress();
  private final Catalogue catalogue;
  private final Identity identity;
  private final Carrier carrier;
  private final FileReaders readers = new FileReaders();
  private final List<LoopShelf> shelves;
  private final ServerSettings settings;
  private final ShelfServer clients;
  private final CountDownLatch ended = new CountDownLatch(1);
  private Optional<Thread> scanner = Optional.empty();

  private Server(Engine engine, ServerSettings settings, Catalogue catalogue, Identity identity) {
    this.engine = engine;
    this.settings = settings;
    this.catalogue = catalogue;
    this.identity = identity;
    this.carrier =
        QuicCarrier.open(
            ShelfServer.transport(settings.offers().shape().blockSize())
                .withLoops(settings.endpoint().loops()),
            identity);
    long memoryBytes = Math.max(1, settings.endpoint().memoryBytes() / carrier.loops().size());
    this.shelves = carrier.loops().stream().map(loop -> shelf(engine, loop, memoryBytes)).toList();
    this.clients =
        new ShelfServer(
            carrier,
            shelves,
            SenderLimits.of(settings.endpoint(), settings.offers().shape().blockSize()));
  }

  /** Makes what the clients of a loop share. */
  private LoopShelf shelf(Engine engine, Loop loop, long memoryBytes) {
    GenerationCache cache =
        new GenerationCache(engine, memoryBytes, new LoopReads(loop, readers)::add);
    FileShelf shelf =
        new FileShelf(
            start,
            catalogue,
            cache,
            new AccessToken(settings.endpoint().token()),
            new SecureRandom(),
            readers,
            task -> loop.schedule(task, 0));
    return new LoopShelf(loop, cache, shelf);
  }

  /**
   * Hashes the files and begins to serve them. Clients that come before get the progress.
   *
   * @param engine keeps and encodes generations
   * @param hashing is notified of the bytes hashed
   * @throws java.net.BindException if the address is in use
   * @throws IOException if a path cannot be read, or the identity is not valid
   */
  public static Server start(Engine engine, ServerSettings settings, ProgressListener hashing)
      throws IOException, InterruptedException {
    engine.requireOpen();
    EndpointSettings endpoint = settings.endpoint();
    InetSocketAddress address = ShelfServer.resolved(endpoint.listen());
    Identity identity = Identity.open(endpoint.state(), Instant.now());
    Catalogue catalogue =
        new Catalogue(
            settings.paths(),
            settings.offers(),
            endpoint.threads(),
            Optional.of(endpoint.state()),
            Duration.ofNanos(settings.maxAwayNanos()));
    Server server = new Server(engine, settings, catalogue, identity);
    try {
      server.clients.listen(address);
      catalogue.scan((done, total) -> {
        server.start.progress(done, total);
        hashing.progress(done, total);
      });
      server.offer();
      return server;
    } catch (IOException | InterruptedException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /** Begins to serve what the catalogue has. */
  private void offer() throws IOException {
    start.end();
    clients.openPages(settings.endpoint(), this::snapshot);
    clients.openForBrowsers(settings.endpoint());
    scanner =
        Optional.of(Thread.ofPlatform().daemon().name("fieldstone-catalogue").start(this::scan));
  }

  private void scan() {
    try {
      int pauses = 0;
      while (!ended.await(settings.rescanNanos(), TimeUnit.NANOSECONDS)) {
        if (isDue(++pauses)) {
          pauses = 0;
          rescan();
        }
        clients.refresh();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A scan takes time for each file, so the interval grows with the number of files. */
  private boolean isDue(int pauses) {
    int enough = catalogue.entries().size() / ServerSettings.FILES_PER_RESCAN;
    return pauses > enough || pauses > enough / HASTE && catalogue.hasNewNames();
  }

  private void rescan() throws InterruptedException {
    try {
      if (catalogue.rescan()) {
        LOGGER.log(Level.INFO, "the catalogue has changed: {0} files", catalogue.entries().size());
        clients.catalogueChanged();
      }
    } catch (RuntimeException | OutOfMemoryError e) {
      if (ended.getCount() > 0) {
        LOGGER.log(Level.WARNING, "cannot scan for changed files; trying again: {0}", e);
      }
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

  /** Returns what the dashboard shows of this server. */
  public Snapshot snapshot() {
    EndpointSettings endpoint = settings.endpoint();
    Snapshot.Self self =
        Snapshot.Self.of(
            "server",
            KnownServers.name(address()),
            fingerprint().toString(),
            engine.description(),
            new Snapshot.Pace(endpoint.maxBytesPerSecond(), endpoint.isCubic()));
    return clients.snapshot(self, List::of);
  }

  /** Returns the numbers of this server. */
  public ServerStatus status() {
    return clients.status();
  }

  @Override
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /**
   * Closes the connections of the clients with the reason that the server stops, and ends. The
   * clients connect again when it is back.
   */
  @Override
  public void close() {
    ended.countDown();
    clients.close();
    carrier.close();
    readers.close();
    scanner.ifPresent(Thread::interrupt);
    catalogue.close();
    shelves.forEach(each -> each.cache().close());
  }
}
