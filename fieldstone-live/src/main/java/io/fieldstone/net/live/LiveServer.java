package io.fieldstone.net.live;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.browser.BrowserEndpoint;
import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.carrier.Listener;
import io.fieldstone.net.carrier.Loop;
import io.fieldstone.net.carrier.quic.QuicCarrier;
import io.fieldstone.net.carrier.quic.QuicOptions;
import io.fieldstone.net.dashboard.Metrics;
import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.dashboard.StatusPages;
import io.fieldstone.net.endpoint.EndpointSettings;
import io.fieldstone.net.peers.AccessToken;
import io.fieldstone.net.peers.KnownServers;
import io.fieldstone.net.session.ClientWarnings;
import io.fieldstone.net.session.CloseCode;
import io.fieldstone.net.session.MalformedMessageException;
import io.fieldstone.net.shelf.ShelfServer;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.net.trust.Identity;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Listens for clients of a {@link LiveService}, and greets them: version, token, purpose. Each
 * client is served on one of the loops. Thread-safe.
 */
final class LiveServer implements AutoCloseable {

  /** The maximum number of clients at once. */
  static final int MAX_CLIENTS = 2_000;

  /** The name of the protocol (ALPN). */
  private static final String PROTOCOL = "fst-live/1";

  private static final long MAX_GREETING_NANOS = 10_000_000_000L;

  private static final Logger LOGGER = System.getLogger(LiveServer.class.getName());

  private final EndpointSettings settings;
  private final Identity identity;
  private final Carrier carrier;
  private final AccessToken token;
  private final ClientWarnings warnings = new ClientWarnings();

  /** The clients that were admitted. */
  private final AtomicInteger clients = new AtomicInteger();

  /** Open until the first client is accepted. */
  private final CountDownLatch firstClient = new CountDownLatch(1);

  private Optional<Listener> listener = Optional.empty();
  private Optional<StatusPages> pages = Optional.empty();
  private Optional<BrowserEndpoint> browsers = Optional.empty();

  /** Opens the carrier of an identity. */
  private LiveServer(EndpointSettings settings, Identity identity, int loops) throws IOException {
    this.settings = settings;
    this.identity = identity;
    this.token = new AccessToken(settings.token());
    this.carrier = QuicCarrier.open(transport().withLoops(loops), identity);
  }

  /**
   * Opens the carrier of a server, which does not listen yet.
   *
   * @param loops the number of loops
   * @throws IOException if the identity is not valid
   */
  static LiveServer open(EndpointSettings settings, int loops) throws IOException {
    return new LiveServer(settings, Identity.open(settings.state(), Instant.now()), loops);
  }

  /** Opens the carrier of a relay, as {@link #open} does, with the loops of the settings. */
  static LiveServer ofRelay(EndpointSettings settings) throws IOException {
    return new LiveServer(
        settings, Identity.openRelay(settings.state(), Instant.now()), settings.loops());
  }

  /** Returns the options of the transport of live packets. */
  static QuicOptions transport() {
    return QuicOptions.DEFAULT.withProtocol(PROTOCOL);
  }

  /** Returns the carrier, which also connects. */
  Carrier carrier() {
    return carrier;
  }

  /** Returns the only loop, or the first. */
  Loop loop() {
    return carrier.loops().getFirst();
  }

  Fingerprint fingerprint() {
    return identity.fingerprint();
  }

  EndpointSettings settings() {
    return settings;
  }

  /**
   * Begins to listen. Called once.
   *
   * @param service gives what a loop offers to its clients; called on that loop
   * @param metrics what {@code /metrics} and {@code /status} show
   * @param snapshots what the dashboard shows
   * @throws java.net.BindException if an address is in use
   * @throws java.net.UnknownHostException if a host is unknown
   */
  void listen(Function<Loop, LiveService> service, Metrics metrics, Supplier<Snapshot> snapshots)
      throws IOException {
    InetSocketAddress address = ShelfServer.resolved(settings.listen());
    Function<Connection, ConnectionHandler> accept =
        connection -> new Session(service.apply(connection.loop()));
    listener = Optional.of(carrier.listen(address, accept));
    if (settings.http().isPresent()) {
      InetSocketAddress http = ShelfServer.resolved(settings.http().get());
      pages = Optional.of(new StatusPages(http, settings.token(), metrics, snapshots));
    }
    if (settings.browsers().isPresent()) {
      browsers =
          Optional.of(
              BrowserEndpoint.open(
                  carrier,
                  ShelfServer.resolved(settings.browsers().get()),
                  BrowserEndpoint.Content.STREAM,
                  !settings.token().isEmpty(),
                  accept));
    }
  }

  /**
   * Returns what the dashboard shows.
   *
   * @param shown peers and flow
   */
  Snapshot snapshot(String role, Engine engine, LiveSnapshot shown) {
    Snapshot.Self self =
        Snapshot.Self.of(
            role,
            KnownServers.name(address()),
            fingerprint().toString(),
            engine.description(),
            new Snapshot.Pace(settings.maxBytesPerSecond(), settings.isCubic()));
    return shown.with(self, warnings.incidents());
  }

  InetSocketAddress address() {
    return listener.orElseThrow().localAddress();
  }

  Optional<InetSocketAddress> httpAddress() {
    return pages.map(StatusPages::address);
  }

  Optional<InetSocketAddress> browserAddress() {
    return browsers.map(BrowserEndpoint::address);
  }

  /** Waits until a client has been accepted, or the server is closed. */
  void awaitClient() throws InterruptedException {
    firstClient.await();
  }

  /** Runs a task on the first loop and returns its result; not to be called on the loop. */
  <T> T onLoop(Supplier<T> task, T ifClosed) {
    return loop().call(task, ifClosed);
  }

  /** Closes the connections of all clients with the reason that the server stops. */
  @Override
  public void close() {
    pages.ifPresent(StatusPages::close);
    browsers.ifPresent(BrowserEndpoint::close);
    listener.ifPresent(Listener::close);
    carrier.close();
    firstClient.countDown();
  }

  /** The server's end of a connection. */
  private final class Session implements ConnectionHandler {
    private final LiveService service;
    private @Nullable Connection connection;
    private Optional<LiveLink> link = Optional.empty();
    private boolean isGreeted;

    /** Whether the client counts; it may wait for its flows. */
    private boolean isAdmitted;

    Session(LiveService service) {
      this.service = service;
    }

    @Override
    public void opened(Connection opened) {
      connection = opened;
      Cancellable _ =
          opened.schedule(
              () -> {
                if (!isGreeted) {
                  refuse(opened, CloseCode.MALFORMED, "no greeting within 10 s");
                }
              },
              MAX_GREETING_NANOS);
    }

    private void refuse(Connection refused, long code, String text) {
      warnings.warn(refused.remoteAddress(), "refused " + code, "refused: " + text);
      refused.close(code, text);
    }

    @Override
    public void datagram(MemorySegment bytes) {
      link.ifPresent(each -> each.datagram(bytes));
    }

    @Override
    public void control(MemorySegment message) {
      Connection opened = Objects.requireNonNull(connection);
      try {
        if (LiveMessage.parse(message) instanceof LiveMessage.Hello hello && !isGreeted) {
          isGreeted = true;
          greet(hello, opened);
        } else {
          throw new MalformedMessageException("a message that is not a first greeting");
        }
      } catch (MalformedMessageException e) {
        refuse(opened, CloseCode.MALFORMED, String.valueOf(e.getMessage()));
      }
    }

    private void greet(LiveMessage.Hello hello, Connection opened) {
      if (hello.version() != LiveMessage.VERSION) {
        refuse(
            opened,
            CloseCode.VERSION,
            "version %d of the live protocol, not %d"
                .formatted(hello.version(), LiveMessage.VERSION));
      } else if (!token.admits(hello.token())) {
        refuse(
            opened,
            CloseCode.TOKEN,
            hello.token().isEmpty()
                ? "the server needs a token (--token-file)"
                : "the token is not that of the server");
      } else if (hello.purpose() != service.purpose()) {
        refuse(
            opened,
            CloseCode.MALFORMED,
            "this is %s, not %s".formatted(service.purpose().text(), hello.purpose().text()));
      } else if (clients.get() >= MAX_CLIENTS) {
        refuse(opened, CloseCode.FULL, "the server has %d clients".formatted(MAX_CLIENTS));
      } else {
        isAdmitted = true;
        clients.incrementAndGet();
        service.open(hello, opened, flows -> accept(flows, opened));
      }
    }

    private void accept(LiveService.Opened flows, Connection opened) {
      link = Optional.of(flows.link());
      firstClient.countDown();
      for (LiveMessage answer : flows.answers()) {
        boolean _ = opened.sendControl(LiveMessage.write(answer));
      }
      LOGGER.log(Level.INFO, "{0}: connected", KnownServers.name(opened.remoteAddress()));
    }

    @Override
    public void writable() {
      link.ifPresent(LiveLink::pump);
    }

    @Override
    public void closed(CloseReason reason) {
      isGreeted = true;
      if (!isAdmitted) {
        return;
      }
      clients.decrementAndGet();
      Connection opened = Objects.requireNonNull(connection);
      if (link.isEmpty()) {
        service.left(opened);
      } else {
        LOGGER.log(
            Level.INFO,
            "{0}: disconnected: {1}",
            KnownServers.name(opened.remoteAddress()),
            reason.text());
        link.get().close();
        service.closed(link.get());
      }
    }
  }
}
