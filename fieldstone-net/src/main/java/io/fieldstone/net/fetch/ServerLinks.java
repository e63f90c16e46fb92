package io.fieldstone.net.fetch;

import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.ConnectFailedException;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.dashboard.Incidents;
import io.fieldstone.net.events.NetworkEvents;
import io.fieldstone.net.fetch.ServerLink.State;
import io.fieldstone.net.fetch.TransferState.Phase;
import io.fieldstone.net.peers.KnownServers;
import io.fieldstone.net.session.ClientListener;
import io.fieldstone.net.session.ClientSession;
import io.fieldstone.net.session.CloseCode;
import io.fieldstone.net.session.Message;
import io.fieldstone.net.session.PeerRole;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Connects a transfer to its servers, and to those again that it lost; drops and bans servers, and
 * divides the rate among them.
 *
 * <p>Guarded by the lock of the transfer, which the calls of a {@link ClientListener} take.
 */
final class ServerLinks implements ClientListener {

  private static final Logger LOGGER = System.getLogger(ServerLinks.class.getName());

  /** The stalls in a row after which a server is not tried again, if another is open. */
  private static final int MAX_STALLS = 3;

  /**
   * The attempts to connect to a server that never answered. Over a link that loses a fifth of the
   * packets in both directions, one attempt in some ten fails.
   */
  private static final int MAX_NO_ANSWERS = 3;

  /** The attempts, one after the other, to reach a server that has answered before. */
  private static final int ATTEMPTS = 20;

  /** The time in which these attempts begin. */
  private static final long ATTEMPTS_NANOS = ATTEMPTS * Carrier.NEXT_ATTEMPT_NANOS;

  /** The longest wait before a server is tried again to which the path was lost. */
  private static final long PATH_LOST_NANOS = 250_000_000;

  private final Carrier carrier;
  private final FetchSettings settings;
  private final TransferState state;
  private final Listener listener;
  private final Peers peers;
  private final List<ServerLink> links;
  private final Incidents incidents = new Incidents();

  /** Hears what happens at the links, under the lock of the transfer. */
  interface Listener {

    /** Returns the message that a server gets with the greeting. */
    Message first(ServerLink link);

    /** A server has accepted this receiver. */
    void accepted(ServerLink link);

    /**
     * A message of a server arrived.
     *
     * @throws MalformedDataException if the server is not to be trusted; it is dropped then
     */
    void message(ServerLink link, Message message) throws MalformedDataException;

    /**
     * A packet of a server arrived.
     *
     * @param packet valid during the call
     * @throws MalformedDataException if the server is not to be trusted; it is dropped then
     */
    void packet(ServerLink link, MemorySegment packet) throws MalformedDataException;

    /** The connection to a server has ended. */
    void lost(ServerLink link);
  }

  ServerLinks(
      Carrier carrier,
      FetchSettings settings,
      Peers peers,
      TransferState state,
      Listener listener) {
    this.carrier = carrier;
    this.settings = settings;
    this.state = state;
    this.listener = listener;
    this.peers = peers;
    this.links =
        settings.servers().stream()
            .map(address -> new ServerLink(address, KnownServers.name(address)))
            .toList();
  }

  /** Returns the links to all servers. */
  List<ServerLink> all() {
    return links;
  }

  /** Returns the servers that were banned. */
  Incidents incidents() {
    return incidents;
  }

  /** Returns the links that have opened the object. */
  List<ServerLink> open() {
    return links.stream().filter(link -> link.state == State.OPEN).toList();
  }

  /** Returns true if every server was dropped, or none can be reached. */
  boolean areUnreachable() {
    return links.stream().allMatch(link -> link.state == State.DROPPED)
        || links.stream().allMatch(link -> link.isTried && !link.wasAccepted && !isTrying(link));
  }

  private static boolean isTrying(ServerLink link) {
    return link.state != State.WAITING && link.state != State.DROPPED;
  }

  /** Returns a message, followed by the problems of the servers. */
  String problems(String what) {
    return problems(what, List.of());
  }

  private String problems(String what, List<String> others) {
    String reasons =
        Stream.concat(
                links.stream()
                    .filter(link -> !link.problem().isEmpty())
                    .map(link -> link.name + ": " + link.problem()),
                others.stream())
            .collect(Collectors.joining("; "));
    return reasons.isEmpty() ? what : what + ": " + reasons;
  }

  /** Returns a message, followed by the state of each server that is still in use. */
  String standstill(String what) {
    return problems(
        what,
        links.stream()
            .filter(link -> link.problem().isEmpty())
            .map(link -> link.name + ": " + link.waitsFor(state.phase()))
            .toList());
  }

  // Connecting

  /** Connects to the servers whose time has come. */
  void connect(long now) {
    for (ServerLink link : links) {
      if (link.state == State.WAITING && now - link.connectAtNanos >= 0) {
        connect(link);
      }
    }
  }

  /** Connects. The host is looked up without the lock. */
  private void connect(ServerLink link) {
    link.state = State.CONNECTING;
    peers.lookUp(
        link.address,
        resolved -> {
          synchronized (state) {
            if (link.state == State.CONNECTING) {
              connect(link, resolved);
            }
          }
        });
  }

  private void connect(ServerLink link, List<InetSocketAddress> resolved) {
    if (resolved.isEmpty()) {
      lost(link, "unknown host", false);
      return;
    }
    Optional<String> noRoute = peers.routeProblem(resolved);
    if (noRoute.isPresent()) {
      lost(link, noRoute.get(), false);
      tryAgainSoon(link);
      return;
    }
    ClientSession session = newSession(link);
    link.session = Optional.of(session);
    AtomicReference<String> distrust = new AtomicReference<>("");
    CompletableFuture<?> _ =
        connect(link, resolved, session, distrust)
            .whenComplete((_, error) -> {
              if (error != null) {
                connectFailed(link, session, error, distrust.get());
              }
            });
  }

  private ClientSession newSession(ServerLink link) {
    return new ClientSession(settings.token(), List.of(listener.first(link)), this);
  }

  /** Connects a session; the path to a server that has answered before may come back any time. */
  private CompletableFuture<Connection> connect(
      ServerLink link,
      List<InetSocketAddress> resolved,
      ClientSession session,
      AtomicReference<String> distrust) {
    int attempts = link.wasAccepted ? ATTEMPTS : 1;
    return carrier.connect(
        Collections.nCopies(attempts, resolved).stream().flatMap(List::stream).toList(),
        fingerprint -> {
          Optional<String> problem = peers.problem(link.name, fingerprint);
          problem.ifPresent(distrust::set);
          return problem.isEmpty();
        },
        session);
  }

  /**
   * Connects to a server again while nothing arrives from it, as after a change of address that its
   * connection does not survive. The new connection takes the place of the old one once it is open.
   * Attempts go on until one succeeds or the server answers, so that a path that comes back is
   * found soon after any outage.
   *
   * @param isSilent whether nothing has arrived since
   */
  void renew(ServerLink link, BooleanSupplier isSilent) {
    if (link.isRenewed) {
      return;
    }
    link.isRenewed = true;
    peers.lookUp(
        link.address,
        resolved -> {
          synchronized (state) {
            if (resolved.isEmpty() || link.state == State.DROPPED) {
              link.isRenewed = false;
              return;
            }
            // Attempts take longer to fail than until the next ones should begin.
            Cancellable _ =
                carrier
                    .loops()
                    .getFirst()
                    .schedule(() -> renewAgain(link, isSilent), ATTEMPTS_NANOS);
            ClientSession session = newSession(link);
            CompletableFuture<?> _ =
                connect(link, resolved, session, new AtomicReference<>(""))
                    .whenComplete((_, error) -> renewed(link, session, error == null, isSilent));
          }
        });
  }

  private void renewAgain(ServerLink link, BooleanSupplier isSilent) {
    synchronized (state) {
      link.isRenewed = false;
      if (isMissing(link, isSilent)) {
        renew(link, isSilent);
      }
    }
  }

  /** Returns true if another connection to a server may take the place of the present one. */
  private boolean isMissing(ServerLink link, BooleanSupplier isSilent) {
    return state.phase() != Phase.ENDED
        && (link.state == State.OPEN ? isSilent.getAsBoolean() : !isAnswering(link));
  }

  private void renewed(
      ServerLink link, ClientSession session, boolean isOpen, BooleanSupplier isSilent) {
    synchronized (state) {
      if (!isOpen) {
        return;
      }
      if (!isMissing(link, isSilent)) {
        session.close(CloseReason.DONE, "");
        return;
      }
      link.isRenewed = false;
      Optional<ClientSession> old = link.session;
      if (link.state == State.OPEN) {
        lost(link, "nothing arrives", false);
        old.ifPresent(each -> each.close(CloseReason.DONE, ""));
      }
      link.state = State.CONNECTING;
      link.session = Optional.of(session);
      link.problem = "";
    }
  }

  /** Returns true if a server answers on its connection, or is not to be used any more. */
  private static boolean isAnswering(ServerLink link) {
    return link.state != State.WAITING && link.state != State.CONNECTING;
  }

  private void connectFailed(
      ServerLink link, ClientSession session, Throwable error, String distrust) {
    synchronized (state) {
      if (!link.isCurrent(session)) {
        return;
      }
      Throwable cause =
          error instanceof CompletionException && error.getCause() != null
              ? error.getCause()
              : error;
      boolean isFinal = !distrust.isEmpty();
      String problem = String.valueOf(cause.getMessage());
      if (cause instanceof ConnectFailedException failed) {
        problem = failed.reason().text();
        CloseReason.Kind kind = failed.reason().kind();
        isFinal |= kind == CloseReason.Kind.UNTRUSTED || kind == CloseReason.Kind.VERSION_MISMATCH;
      }
      lost(link, distrust.isEmpty() ? problem : distrust, isFinal);
      if (!isFinal && cause instanceof ConnectFailedException failed) {
        tryAgainIfUnanswered(link, failed.reason());
        CloseReason.Kind kind = failed.reason().kind();
        boolean isPathLost = kind == CloseReason.Kind.TIMED_OUT || kind == CloseReason.Kind.FAILED;
        if (isPathLost) {
          tryAgainSoon(link);
        }
      }
    }
  }

  /**
   * Lets a server that was lost be tried again at once if it never answered. Packets of the
   * handshake may have been lost, or those of the greetings after it.
   */
  private static void tryAgainIfUnanswered(ServerLink link, CloseReason reason) {
    if (reason.kind() == CloseReason.Kind.TIMED_OUT
        && !link.wasAccepted
        && ++link.noAnswers < MAX_NO_ANSWERS) {
      link.isTried = false;
      link.connectAtNanos = System.nanoTime();
    }
  }

  // Events of connections

  private Optional<ServerLink> find(ClientSession session) {
    for (ServerLink link : links) {
      if (link.isCurrent(session)) {
        return Optional.of(link);
      }
    }
    return Optional.empty();
  }

  @Override
  public void accepted(ClientSession session, PeerRole role) {
    synchronized (state) {
      Optional<ServerLink> found = find(session);
      if (found.isEmpty() || state.phase() == Phase.ENDED) {
        session.connection().close(CloseReason.DONE, "");
        return;
      }
      ServerLink link = found.get();
      link.isTried = true;
      link.wasAccepted = true;
      link.acceptedNanos = System.nanoTime();
      link.role = role;
      link.problem = "";
      link.fingerprint = session.connection().remoteFingerprint();
      link.fingerprint.ifPresent(fingerprint -> peers.remember(link.name, fingerprint));
      listener.accepted(link);
    }
  }

  @Override
  public void message(ClientSession session, Message message) {
    synchronized (state) {
      Optional<ServerLink> found = find(session);
      if (found.isPresent()) {
        try {
          listener.message(found.get(), message);
        } catch (MalformedDataException e) {
          drop(found.get(), CloseCode.MALFORMED, String.valueOf(e.getMessage()));
        }
      }
    }
  }

  @Override
  public void packet(ClientSession session, MemorySegment packet) {
    synchronized (state) {
      Optional<ServerLink> found = find(session);
      if (found.isPresent()) {
        try {
          listener.packet(found.get(), packet);
        } catch (MalformedDataException e) {
          drop(found.get(), CloseCode.MALFORMED, String.valueOf(e.getMessage()));
        }
      }
    }
  }

  @Override
  public void closed(ClientSession session, CloseReason reason) {
    synchronized (state) {
      if (state.phase() == Phase.ENDED) {
        return; // this side closes what it does not need, which is no problem of a server
      }
      find(session)
          .ifPresent(link -> {
            boolean isPathLost =
                reason.kind() == CloseReason.Kind.TIMED_OUT
                    || reason.kind() == CloseReason.Kind.CLOSED_BY_PEER
                        && reason.code() == CloseReason.NO_DATAGRAMS;
            lost(
                link,
                reason.text().isEmpty() ? "the connection was closed" : reason.text(),
                reason.kind() == CloseReason.Kind.CLOSED_BY_PEER
                    && CloseCode.isFinal(reason.code()));
            if (isPathLost) {
              tryAgainSoon(link);
            }
            tryAgainIfUnanswered(link, reason);
          });
    }
  }

  /**
   * Lets a server that accepted a connection before be tried again soon, because the path to it may
   * come back any time.
   */
  private static void tryAgainSoon(ServerLink link) {
    if (link.wasAccepted && link.state == State.WAITING) {
      link.connectAtNanos = Math.min(link.connectAtNanos, System.nanoTime() + PATH_LOST_NANOS);
    }
  }

  // Dropping servers

  /** Notes that a connection has ended. */
  private void lost(ServerLink link, String problem, boolean isFinal) {
    banAccused(link);
    link.isTried = true;
    link.session = Optional.empty();
    link.opened = Optional.empty();
    link.isAskedToOpen = false;
    link.expectsHashes = false;
    link.firstHashes = Optional.empty();
    link.problem = problem;
    if (isFinal) {
      link.state = State.DROPPED;
    } else {
      link.state = State.WAITING;
      link.connectAtNanos = System.nanoTime() + link.backoff.nextNanos();
    }
    // If this was the last server, the failure of the transfer names the problem.
    boolean goesOn = links.stream().anyMatch(other -> other.state != State.DROPPED);
    if (isFinal && goesOn) {
      warn(link, "dropped: ");
    } else {
      LOGGER.log(Level.DEBUG, "{0}: {1}", link.name, problem);
    }
    listener.lost(link);
    sharePacing();
    state.notifyAll();
  }

  /** Logs the problem of a server, once. */
  private static void warn(ServerLink link, String prefix) {
    if (!link.warned.equals(link.problem)) {
      link.warned = link.problem;
      LOGGER.log(Level.WARNING, "{0}: {1}{2}", link.name, prefix, link.problem);
    }
  }

  /** Drops a server: it is not tried again. */
  void drop(ServerLink link, long code, String problem) {
    Optional<ClientSession> session = link.session;
    lost(link, problem, true);
    session.ifPresent(each -> each.close(code, problem));
  }

  /**
   * Takes note that a server refuses the object, or stops sending it. It is tried again if it is
   * only busy.
   */
  void refused(ServerLink link, Message.RefusalCode code, String text) {
    if (code == Message.RefusalCode.CHANGED) {
      link.accusation = Optional.empty();
    }
    if (code == Message.RefusalCode.LIMIT) {
      link.session.ifPresent(each -> each.close(CloseReason.DONE, ""));
      lost(link, text, false);
    } else {
      drop(link, CloseReason.DONE, text);
    }
  }

  /**
   * Disconnects a server that does not send what was asked for; it is tried again a few times. The
   * only one is tried until the transfer gives up: it may be slow, as on a busy host.
   */
  void stalled(ServerLink link, String symptom) {
    link.stalls++;
    boolean isNeeded = isAlone(link);
    String problem = "stalled: %s for %.1f s".formatted(symptom, settings.stallNanos() / 1e9);
    Optional<ClientSession> session = link.session;
    lost(link, problem, link.stalls >= MAX_STALLS && !isNeeded);
    tryAgainSoon(link);
    warn(link, "");
    session.ifPresent(each -> each.close(CloseCode.STALLED, problem));
  }

  // Wrong bytes

  /** Returns true if no other server has opened the object. */
  boolean isAlone(ServerLink link) {
    return open().stream().allMatch(link::equals);
  }

  /**
   * Asks a server that sent wrong bytes for the hashes of their blocks. One whose file has changed
   * detects that when it reads them, and ends the object. Any other answer proves its guilt.
   */
  void accuse(ServerLink link, Optional<Fingerprint> identity, int generation, String reason) {
    link.accusation =
        Optional.of(new ServerLink.Accusation(identity, generation, reason, System.nanoTime()));
    link.send(new Message.LeavesRequest(link.opened.orElseThrow().alias(), generation));
  }

  /** Takes hashes of blocks: a server that has the right ones has sent wrong bytes. */
  void answered(ServerLink link, Message.Leaves part) {
    if (link.accusation.filter(each -> each.generation() == part.generation()).isPresent()) {
      banAccused(link);
    }
  }

  /** Bans servers that have not answered in time. */
  void checkAccusations(long now) {
    links.stream()
        .filter(link ->
            link.accusation
                .filter(each -> now - each.sinceNanos() >= settings.stallNanos())
                .isPresent())
        .forEach(this::banAccused);
  }

  private void banAccused(ServerLink link) {
    Optional<ServerLink.Accusation> proved = link.accusation;
    link.accusation = Optional.empty();
    proved.ifPresent(each -> ban(link, each.identity(), each.reason(), true));
  }

  /**
   * Bans an identity, under all its addresses.
   *
   * @param guilty the link that it had, which may lead to another identity since
   * @param isProof true if the reason proves its guilt, so that it stays banned
   */
  void ban(ServerLink guilty, Optional<Fingerprint> identity, String reason, boolean isProof) {
    boolean isBanned = peers.convict(guilty.name, identity, reason, isProof);
    NetworkEvents.convicted(guilty.name, reason, isBanned);
    incidents.add(guilty.name, (isBanned ? "banned" : "dropped") + ", because it " + reason);
    for (ServerLink link : links) {
      if (identity.isPresent() ? link.fingerprint.equals(identity) : link == guilty) {
        link.isBanned = true;
        link.problem = reason;
        // The receiver is at work now.
        Cancellable _ = carrier.loops().getFirst().schedule(() -> dropBanned(link, reason), 0);
      }
    }
  }

  private void dropBanned(ServerLink link, String reason) {
    synchronized (state) {
      if (state.phase() != Phase.ENDED) {
        drop(link, CloseCode.CONVICTED, reason);
      }
    }
  }

  /**
   * Forgets all sessions at the end of the transfer.
   *
   * @return those that the caller closes, without the lock
   */
  List<ClientSession> dropAll() {
    List<ClientSession> sessions = new ArrayList<>();
    for (ServerLink link : links) {
      banAccused(link);
      // One that still connects is closed once it is accepted.
      if (isTrying(link) && link.state != State.CONNECTING) {
        link.session.ifPresent(sessions::add);
      }
      link.session = Optional.empty();
      link.state = State.DROPPED;
    }
    return sessions;
  }

  // Rates

  /** Divides the maximum rate among the servers that are open. */
  void sharePacing() {
    long share = shareBytesPerSecond();
    open().forEach(link -> link.send(new Message.Pacing(share, settings.isCubic())));
  }

  /** Returns the maximum rate of each server that is open. */
  long shareBytesPerSecond() {
    long all = settings.maxBytesPerSecond();
    return all == Long.MAX_VALUE ? all : Math.max(1, all / Math.max(1, open().size()));
  }

  /** Returns what each server did, for the result. */
  List<FetchResult.Source> sources() {
    return links.stream()
        .map(link ->
            new FetchResult.Source(
                link.name,
                link.fingerprint,
                link.blocks,
                link.redundant,
                link.problem(),
                link.isBanned,
                link.isReported()))
        .toList();
  }
}
