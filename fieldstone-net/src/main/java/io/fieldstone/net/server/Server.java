package io.fieldstone.net.server;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.carrier.Listener;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.carrier.quic.QuicOptions;
import io.fieldstone.net.catalogue.Catalogue;
import io.fieldstone.net.catalogue.CatalogueEntry;
import io.fieldstone.net.session.CloseCode;
import io.fieldstone.net.session.SenderPacing;
import io.fieldstone.net.session.ServerSession;
import io.fieldstone.net.session.SessionCounters;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.net.trust.Identity;
import io.fieldstone.rlnc.object.GenerationCache;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Serves files to any number of clients. Generations that clients want are kept in memory and on an
 * engine; nothing is sent that was not asked for.
 *
 * {@snippet :
 * ServerSettings settings = ServerSettings.of(List.of(folder), state);
 * try (Engine engine = Engine.open("auto");
 *     Server server = Server.start(engine, settings, ProgressListener.NONE)) {
 *   System.out.println(server.address() + " " + server.fingerprint());
 *   server.awaitEnd();
 * }
 * }
 *
 * <p>Thread-safe. The caller owns the engine, which must stay open until the server is closed.
 */
public final class Server implements AutoCloseable {

  private static final Logger LOGGER = System.getLogger(Server.class.getName());

  /** The maximum number of clients at once. */
  public static final int MAX_CLIENTS = 10_000;

  private final Catalogue catalogue;
  private final Identity identity;
  private final Carrier carrier;
  private final GenerationCache cache;
  private final FileShelf shelf;
  private final ServerSettings settings;
  private final SessionCounters counters = new SessionCounters();
  private final Map<ServerSession, Connection> sessions = new ConcurrentHashMap<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private Optional<Listener> listener = Optional.empty();
  private Optional<StatusPages> pages = Optional.empty();
  private Optional<Thread> scanner = Optional.empty();
  private volatile long heldGenerations;
  private volatile long heldBytes;

  private Server(Engine engine, ServerSettings settings, Catalogue catalogue, Identity identity) {
    this.settings = settings;
    this.catalogue = catalogue;
    this.identity = identity;
    this.carrier = QuicCarrier.open(QuicOptions.DEFAULT, identity);
    this.cache = new GenerationCache(engine, settings.memoryBytes());
    this.shelf = new FileShelf(catalogue, cache, settings.token(), new SecureRandom());
  }

  /**
   * Hashes the files and begins to serve them.
   *
   * @param engine keeps and encodes generations
   * @param hashing hears of the bytes hashed
   * @throws java.net.BindException if the address is in use
   * @throws IOException if a path cannot be read, or the identity is not valid
   */
  public static Server start(Engine engine, ServerSettings settings, ProgressListener hashing)
      throws IOException, InterruptedException {
    InetSocketAddress address = resolved(settings.listen());
    Identity identity = Identity.open(settings.state(), Instant.now());
    Catalogue catalogue = new Catalogue(settings.paths(), settings.shape(), settings.threads());
    Server server = new Server(engine, settings, catalogue, identity);
    try {
      catalogue.scan(hashing);
      server.listen(address);
      return server;
    } catch (IOException | InterruptedException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private static InetSocketAddress resolved(InetSocketAddress address) throws UnknownHostException {
    InetSocketAddress resolved = new InetSocketAddress(address.getHostString(), address.getPort());
    if (resolved.isUnresolved()) {
      throw new UnknownHostException("unknown host: " + address.getHostString());
    }
    return resolved;
  }

  private void listen(InetSocketAddress address) throws IOException {
    listener = Optional.of(carrier.listen(address, this::accept));
    if (settings.http().isPresent()) {
      pages = Optional.of(new StatusPages(resolved(settings.http().get()), this::status));
    }
    scanner =
        Optional.of(Thread.ofPlatform().daemon().name("fieldstone-catalogue").start(this::scan));
  }

  private ConnectionHandler accept(Connection connection) {
    SenderPacing pacing =
        new SenderPacing(
            settings.maxBytesPerSecond(), settings.isCubic(), settings.shape().blockSize());
    ServerSession[] session = new ServerSession[1];
    session[0] =
        new ServerSession(
            shelf,
            pacing,
            settings.maxBytesPerSecond(),
            counters,
            () -> {
              sessions.remove(session[0]);
              heldBytes = cache.bytes();
              heldGenerations = cache.generations();
            });
    sessions.put(session[0], connection);
    if (sessions.size() > MAX_CLIENTS) {
      connection.close(CloseCode.FULL, "the server has " + MAX_CLIENTS + " clients");
    }
    return session[0];
  }

  private void scan() {
    try {
      while (!ended.await(settings.rescanNanos(), TimeUnit.NANOSECONDS)) {
        if (catalogue.rescan()) {
          LOGGER.log(
              Level.INFO, "the catalogue has changed: {0} files", catalogue.entries().size());
          sessions.forEach((session, connection) -> connection.execute(session::catalogueChanged));
        }
        sessions.values().stream().findAny().ifPresent(any -> any.execute(this::lookAtMemory));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads the numbers of the cache, on the loop that uses it. */
  private void lookAtMemory() {
    heldBytes = cache.bytes();
    heldGenerations = cache.generations();
  }

  /** Returns the address, with the port that was chosen. */
  public InetSocketAddress address() {
    return listener.orElseThrow().localAddress();
  }

  /** Returns the address of the status over HTTP, if there is one. */
  public Optional<InetSocketAddress> httpAddress() {
    return pages.map(StatusPages::address);
  }

  /** Returns the fingerprint by which clients know this server. */
  public Fingerprint fingerprint() {
    return identity.fingerprint();
  }

  /** Returns the files offered. */
  public List<CatalogueEntry> catalogue() {
    return catalogue.entries();
  }

  /** Returns the numbers of this server. */
  public ServerStatus status() {
    return new ServerStatus(
        catalogue.entries().size(),
        sessions.size(),
        counters.sessions.sum(),
        counters.refused.sum(),
        counters.objects.sum(),
        counters.packetsSent.sum(),
        counters.bytesSent.sum(),
        counters.packetsLost.sum(),
        counters.reports.sum(),
        heldGenerations,
        heldBytes);
  }

  /** Waits until the server is closed. */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** Tells the clients that the server stops, and ends. They continue when it is back. */
  @Override
  public void close() {
    ended.countDown();
    pages.ifPresent(StatusPages::close);
    sessions
        .values()
        .forEach(connection -> connection.close(CloseCode.STOPPING, "the server stops"));
    carrier.close();
    scanner.ifPresent(Thread::interrupt);
    catalogue.close();
    cache.close();
  }
}
