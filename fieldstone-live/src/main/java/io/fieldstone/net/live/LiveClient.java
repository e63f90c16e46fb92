package io.fieldstone.net.live;

import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.ConnectFailedException;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.carrier.Loop;
import io.fieldstone.net.peers.KnownServers;
import io.fieldstone.net.peers.ServerTrust;
import io.fieldstone.net.session.Backoff;
import io.fieldstone.net.session.CloseCode;
import io.fieldstone.net.session.HostLookup;
import io.fieldstone.net.session.MalformedMessageException;
import io.fieldstone.net.session.Routes;
import io.fieldstone.net.trust.Fingerprint;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a connection to one of several live servers: connects, greets, and connects again, to the
 * next server if one fails. On its loop.
 */
final class LiveClient {

  /**
   * The connections to each server that may fall silent. A refusal that the path has lost looks so,
   * and the next attempt decides.
   */
  private static final int MAX_SILENCES = 3;

  /** The time after which a server that has not answered has no stream; it refuses at once. */
  private static final long ANSWER_NANOS = 3_000_000_000L;

  private static final long IDLE_NANOS = LiveServer.transport().idleTimeout().toNanos();

  private static final String NO_STREAM = "it has no stream yet";

  /** What uses the connection. On the loop. */
  interface User {
    /** Returns the greeting of a new connection. */
    LiveMessage.Hello hello();

    /**
     * Returns the flows of a connection that the server has accepted; empty if they are not
     * possible, and the user has ended the client.
     */
    Optional<LiveLink> accepted(LiveMessage.Accept accept, Connection connection);

    /** The stream has ended. */
    void ended(long end);

    /** The connection is lost; the client connects again, unless it has ended. */
    void lost();

    /** Another attempt would end in the same way, or the first one failed at all servers. */
    void failed(String problem);
  }

  private static final Logger LOGGER = System.getLogger(LiveClient.class.getName());

  private final ClientSettings settings;
  private final Carrier carrier;
  private final Loop loop;
  private final ServerTrust trust;
  private final User user;
  private final Backoff backoff = new Backoff();
  private int turn;
  private int failures;

  /** The connections that were open and fell silent before one was accepted. */
  private int silences;

  private boolean wasAccepted;
  private volatile boolean isEnded;
  private String problem = "";
  private Optional<Session> current = Optional.empty();

  LiveClient(ClientSettings settings, Carrier carrier, User user) {
    this.settings = settings;
    this.carrier = carrier;
    this.loop = carrier.loops().getFirst();
    this.trust = new ServerTrust(settings.trusted(), settings.state());
    this.user = user;
  }

  /** Begins to connect. Any thread. */
  void start() {
    onLoop(this::connect, 0);
  }

  /** Closes the connection and connects no more. */
  void end(String reason) {
    isEnded = true;
    current.ifPresent(each -> each.close(reason));
  }

  /** Connects no more. Any thread; the caller closes the carrier. */
  void stop() {
    isEnded = true;
  }

  private void onLoop(Runnable task, long delayNanos) {
    Cancellable _ = loop.schedule(task, delayNanos);
  }

  private void connect() {
    if (isEnded) {
      return;
    }
    InetSocketAddress address = settings.servers().get(turn % settings.servers().size());
    HostLookup.start(address, resolved -> onLoop(() -> connect(address, resolved), 0));
  }

  private void connect(InetSocketAddress address, List<InetSocketAddress> resolved) {
    String name = KnownServers.name(address);
    if (isEnded) {
      return;
    }
    if (resolved.isEmpty()) {
      retry(name, "unknown host", false);
      return;
    }
    Optional<String> noRoute = Routes.problem(resolved);
    if (noRoute.isPresent()) {
      retry(name, noRoute.get(), false);
      return;
    }
    Session session = new Session(name);
    current = Optional.of(session);
    AtomicReference<String> distrust = new AtomicReference<>("");
    CompletableFuture<?> _ =
        carrier
            .connect(
                resolved,
                shown -> {
                  Optional<String> reason = trust.problem(name, shown);
                  reason.ifPresent(distrust::set);
                  return reason.isEmpty();
                },
                session)
            .whenComplete((_, error) -> {
              if (error != null) {
                boolean isFinal = !distrust.get().isEmpty();
                String text = isFinal ? distrust.get() : ConnectFailedException.text(error);
                onLoop(() -> retry(name, text, isFinal), 0);
              }
            });
  }

  private void retry(String name, String reason, boolean isFinal) {
    retry(name, reason, isFinal, false);
  }

  /**
   * Tries the next server later, or fails.
   *
   * @param isFinal whether another attempt would end in the same way
   * @param isTemporary whether the server has no stream now, as a relay may, or has fallen silent
   */
  private void retry(String name, String reason, boolean isFinal, boolean isTemporary) {
    current = Optional.empty();
    if (isEnded) {
      return;
    }
    failures += isTemporary ? 0 : 1;
    turn++;
    String text = name + ": " + reason;
    boolean areUnreachable = !wasAccepted && failures >= settings.servers().size();
    if (isFinal && settings.servers().size() == 1 || areUnreachable) {
      isEnded = true;
      user.failed(text);
      return;
    }
    warn(text);
    onLoop(this::connect, backoff.nextNanos());
  }

  /** Logs a problem, unless it is the same as before. */
  private void warn(String text) {
    if (!text.equals(problem)) {
      LOGGER.log(Level.WARNING, text);
    }
    problem = text;
  }

  /** The client's end of a connection. */
  private final class Session implements ConnectionHandler {
    private final String name;
    private @Nullable Connection connection;
    private Optional<LiveLink> link = Optional.empty();
    private boolean isClosed;

    /** Whether the server has no stream, and another one may have. */
    private boolean isPassedOver;

    Session(String name) {
      this.name = name;
    }

    void close(String reason) {
      Connection opened = connection;
      if (opened != null) {
        opened.close(CloseReason.DONE, reason);
      }
    }

    @Override
    public void opened(Connection opened) {
      connection = opened;
      if (isEnded) {
        close("");
        return;
      }
      boolean _ = opened.sendControl(LiveMessage.write(user.hello()));
      Cancellable _ = opened.schedule(() -> awaitAnswer(opened), ANSWER_NANOS);
    }

    /** Waits at the only server until it has a stream, or tries the next one. */
    private void awaitAnswer(Connection opened) {
      if (link.isPresent() || isClosed || isEnded) {
        return;
      }
      if (settings.servers().size() > 1) {
        isPassedOver = true;
        opened.close(CloseReason.DONE, "");
      } else {
        warn(name + ": " + NO_STREAM + ", waiting");
        // A connection that is still open then is not silent, so the server has not refused.
        Cancellable _ = opened.schedule(() -> wasAccepted |= !isClosed, IDLE_NANOS);
      }
    }

    @Override
    public void datagram(MemorySegment bytes) {
      link.ifPresent(each -> each.datagram(bytes));
    }

    @Override
    public void control(MemorySegment message) {
      Connection opened = Objects.requireNonNull(connection);
      try {
        switch (LiveMessage.parse(message)) {
          case LiveMessage.Accept accept when link.isEmpty() -> accepted(accept, opened);
          case LiveMessage.End end when link.isPresent() -> user.ended(end.end());
          default -> throw new MalformedMessageException("a live message that is not expected");
        }
      } catch (MalformedMessageException e) {
        opened.close(CloseCode.MALFORMED, String.valueOf(e.getMessage()));
      }
    }

    private void accepted(LiveMessage.Accept accept, Connection opened)
        throws MalformedMessageException {
      if (accept.version() != LiveMessage.VERSION) {
        throw new MalformedMessageException(
            "version %d of the live protocol, not %d"
                .formatted(accept.version(), LiveMessage.VERSION));
      }
      Optional<Fingerprint> shown = opened.remoteFingerprint();
      shown.ifPresent(fingerprint -> trust.remember(name, fingerprint));
      wasAccepted = true;
      failures = 0;
      silences = 0;
      backoff.reset();
      problem = "";
      link = user.accepted(accept, opened);
      if (link.isEmpty()) {
        close("");
      } else {
        link.get().pump();
      }
    }

    @Override
    public void writable() {
      link.ifPresent(LiveLink::pump);
    }

    @Override
    public void closed(CloseReason reason) {
      isClosed = true;
      link.ifPresent(LiveLink::close);
      if (current.isPresent() && current.get() == this) {
        if (link.isPresent() && !isEnded) {
          user.lost();
        }
        boolean isByPeer = reason.kind() == CloseReason.Kind.CLOSED_BY_PEER;
        boolean isSilent = connection != null && reason.kind() == CloseReason.Kind.TIMED_OUT;
        silences += isSilent ? 1 : 0;
        boolean isStopping = isByPeer && reason.code() == CloseCode.STOPPING;
        retry(
            name,
            isPassedOver ? NO_STREAM : reason.text(),
            isByPeer && CloseCode.isFinal(reason.code()),
            isPassedOver
                || isStopping
                || isSilent && silences < MAX_SILENCES * settings.servers().size());
      }
    }
  }
}
