package io.fieldstone.net.relay;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.ConnectFailedException;
import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.peers.KnownServers;
import io.fieldstone.net.session.Backoff;
import io.fieldstone.net.session.ClientListener;
import io.fieldstone.net.session.ClientSession;
import io.fieldstone.net.session.CloseCode;
import io.fieldstone.net.session.HostLookup;
import io.fieldstone.net.session.Message;
import io.fieldstone.net.session.MessageCodec;
import io.fieldstone.net.session.PeerRole;
import io.fieldstone.net.session.Routes;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.rlnc.object.Arrival;
import io.fieldstone.rlnc.object.Packet;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A server or relay from which a relay fetches: keeps a connection to it, knows its catalogue, and
 * passes on what it sends for open objects. A lost connection is tried again until the relay ends.
 * On the loop of the relay.
 */
final class Upstream implements ClientListener {

  /** The maximum number of entries of a catalogue; more are ignored. */
  static final int MAX_ENTRIES = 1 << 20;

  /** The memory divided by the maximum bytes of the catalogues of all peers. */
  private static final int MEMORY_SHARE = 8;

  /** The time for which the catalogue of a lost connection counts, such as during a restart. */
  static final long RETAIN_NANOS = 30_000_000_000L;

  private static final Logger LOGGER = System.getLogger(Upstream.class.getName());

  private final RelayContext context;
  private final InetSocketAddress address;
  private final String name;
  private final Backoff backoff = new Backoff();
  private final Map<Sha256, Source> opening = new HashMap<>();
  private final Map<Integer, Source> open = new HashMap<>();
  private @Nullable ClientSession session;
  private Optional<Fingerprint> fingerprint = Optional.empty();
  private PeerRole role = PeerRole.ORIGIN;
  private boolean isAccepted;
  private List<CatalogueEntry> entries = List.of();
  private List<CatalogueEntry> pages = new ArrayList<>();
  private long pageBytes;
  private long ignored;
  private Map<Sha256, Integer> hops = Map.of();

  /** Whether the entries are all that the peer offers, as far as it was heard lately. */
  private boolean isComplete;

  private String problem = "";
  private boolean isTried;
  private long acceptedNanos;
  private long receivedBytes;
  private long innovative;
  private long redundant;

  /** Counts lost connections, so that an old timer does not clear a new catalogue. */
  private int losses;

  Upstream(RelayContext context, InetSocketAddress address) {
    this.context = context;
    this.address = address;
    this.name = KnownServers.name(address);
  }

  /** Returns the address as a user writes it. */
  String name() {
    return name;
  }

  /** Returns what the peer does. */
  PeerRole role() {
    return role;
  }

  /** Returns the fingerprint of the last connection. */
  Optional<Fingerprint> fingerprint() {
    return fingerprint;
  }

  /** Returns true if the first attempt has failed, or has brought the catalogue. */
  boolean isTried() {
    return isTried;
  }

  /** Returns true if objects can be opened. */
  boolean isConnected() {
    return isAccepted;
  }

  /** Returns the catalogue. */
  List<CatalogueEntry> entries() {
    return entries;
  }

  /** Returns what the peer offers, and whether that is all. */
  CurrentLines.Offered offered() {
    return new CurrentLines.Offered(entries, isComplete, role == PeerRole.ORIGIN);
  }

  /** Returns the hops of an object; empty if the peer does not offer it. */
  Optional<Integer> hopsOf(Sha256 id) {
    return Optional.ofNullable(hops.get(id));
  }

  /** Counts a packet that a receiver has taken. */
  void arrived(Arrival arrival) {
    if (arrival == Arrival.INNOVATIVE) {
      innovative++;
    } else {
      redundant++;
    }
  }

  /** Returns what the dashboard shows of this peer. */
  Snapshot.Peer peer() {
    Optional<ClientSession> accepted = Optional.ofNullable(session).filter(_ -> isAccepted);
    return new Snapshot.Peer(
        name,
        role.text(),
        true,
        accepted.isPresent() ? "open" : "waiting",
        accepted.isPresent() ? (System.nanoTime() - acceptedNanos) / 1e9 : 0,
        0,
        receivedBytes,
        open.values().stream().flatMap(each -> each.lossShare().stream()).max(Double::compare),
        Snapshot.Peer.share(redundant, innovative),
        accepted.flatMap(each -> Snapshot.Peer.millis(each.connection().stats().rttNanos())),
        Optional.empty(),
        problem);
  }

  // Connection

  /** Connects. The host is looked up neither on the loop nor on a worker. */
  void connect() {
    HostLookup.start(address, resolved -> context.onLoop(() -> connect(resolved)));
  }

  private void connect(List<InetSocketAddress> resolved) {
    if (context.isClosed()) {
      return;
    }
    if (resolved.isEmpty()) {
      lost("unknown host");
      return;
    }
    Optional<String> noRoute = Routes.problem(resolved);
    if (noRoute.isPresent()) {
      lost(noRoute.get());
      return;
    }
    ClientSession attempt =
        new ClientSession(
            context.settings().endpoint().token(), List.of(new Message.ListRequest()), this);
    session = attempt;
    AtomicReference<String> distrust = new AtomicReference<>("");
    CompletableFuture<?> _ =
        context
            .carrier()
            .connect(
                resolved,
                shown -> {
                  Optional<String> reason = context.trust().problem(name, shown);
                  reason.ifPresent(distrust::set);
                  return reason.isEmpty();
                },
                attempt)
            .whenComplete((_, error) -> {
              if (error != null) {
                context.onLoop(() -> failed(attempt, error, distrust.get()));
              }
            });
  }

  private void failed(ClientSession attempt, Throwable error, String distrust) {
    if (session != attempt) {
      return;
    }
    lost(distrust.isEmpty() ? ConnectFailedException.text(error) : distrust);
  }

  private void lost(String reason) {
    session = null;
    isAccepted = false;
    isTried = true;
    if (!reason.equals(problem) && !context.isClosed()) {
      LOGGER.log(Level.WARNING, "{0}: {1}", name, reason);
    }
    problem = reason;
    List<Source> sources = new ArrayList<>(open.values());
    sources.addAll(opening.values());
    open.clear();
    opening.clear();
    forgetPages();
    sources.forEach(Source::lost);
    losses++;
    int loss = losses;
    context.onLoop(
        () -> {
          if (loss == losses) {
            listed(List.of(), false);
          }
        },
        RETAIN_NANOS);
    context.onLoop(this::connect, backoff.nextNanos());
    context.upstreamChanged();
  }

  private void listed(List<CatalogueEntry> all, boolean isAll) {
    entries = List.copyOf(all);
    isComplete = isAll;
    Map<Sha256, Integer> least = new HashMap<>();
    entries.forEach(entry -> least.merge(entry.id(), entry.hops(), Math::min));
    hops = least;
    context.upstreamChanged();
  }

  /**
   * Drops a peer that sent wrong bytes, which was logged. It is refused as long as it is banned.
   */
  void ban(String reason) {
    problem = reason;
    close(CloseCode.CONVICTED, reason);
  }

  /** Disconnects a peer that does not send what was asked for. It is tried again. */
  void stalled(String symptom) {
    ClientSession closing = session;
    if (closing != null) {
      lost("stalled: " + symptom);
      closing.close(CloseCode.STALLED, "stalled: " + symptom);
    }
  }

  private void close(long code, String reason) {
    ClientSession closing = session;
    if (closing != null) {
      lost(reason);
      listed(List.of(), false);
      closing.close(code, reason);
    }
  }

  @Override
  public void accepted(ClientSession accepted, PeerRole acceptedRole) {
    if (accepted != session || context.isClosed()) {
      accepted.connection().close(CloseReason.DONE, "");
      return;
    }
    isAccepted = true;
    acceptedNanos = System.nanoTime();
    role = acceptedRole;
    problem = "";
    losses++;
    fingerprint = accepted.connection().remoteFingerprint();
    fingerprint.ifPresent(known -> context.trust().remember(name, known));
    if (context.settings().endpoint().isCubic()) {
      accepted.send(new Message.Pacing(Long.MAX_VALUE, true));
    }
  }

  @Override
  public void closed(ClientSession closed, CloseReason reason) {
    if (closed == session) {
      lost(reason.text().isEmpty() ? "the connection was closed" : reason.text());
    }
  }

  // Objects

  /** Opens an object, if there is a connection. */
  Optional<Source> open(RelayedObject object) {
    ClientSession current = session;
    if (!isAccepted || current == null || opening.containsKey(object.id())) {
      return Optional.empty();
    }
    Source source = new Source(this, current, object);
    opening.put(object.id(), source);
    current.send(new Message.Open(object.id()));
    return Optional.of(source);
  }

  /** Closes an object. One that is not open yet is closed when it is. */
  void close(Source source) {
    if (source.opened().isPresent()) {
      int alias = source.opened().get().alias();
      if (open.remove(alias, source)) {
        source.session().send(new Message.Close(alias));
      }
    }
  }

  @Override
  public void message(ClientSession from, Message message) {
    if (from != session) {
      return;
    }
    try {
      switch (message) {
        case Message.CataloguePage page -> page(page);
        case Message.Opened answer -> opened(answer);
        case Message.Refused refused -> refused(refused);
        case Message.Hashes part -> {
          Source source = open.get(part.alias());
          if (source != null) {
            source.hashes(part);
          }
        }
        case Message.Leaves part -> {
          Source source = open.get(part.alias());
          if (source != null) {
            source.leaves(part);
          }
        }
        case Message.Ended ended -> {
          Source source = open.remove(ended.alias());
          if (source != null) {
            source.ended(ended.code(), ended.text());
          }
        }
        default -> {}
      }
    } catch (MalformedDataException e) {
      close(CloseCode.MALFORMED, String.valueOf(e.getMessage()));
    }
  }

  private void page(Message.CataloguePage page) {
    if (page.isFirst()) {
      forgetPages();
    }
    long bytes = page.entries().stream().mapToLong(MessageCodec::bytesOf).sum();
    if (pages.size() + page.entries().size() <= MAX_ENTRIES && pageBytes + bytes <= maxBytes()) {
      pages.addAll(page.entries());
      pageBytes += bytes;
    } else {
      ignored += page.entries().size();
    }
    if (page.isLast()) {
      if (!isTried || entries.isEmpty()) {
        LOGGER.log(Level.INFO, "{0}: offers {1} objects", name, pages.size());
      }
      isTried = true;
      backoff.reset();
      if (ignored > 0) {
        LOGGER.log(Level.WARNING, "{0}: {1} more objects are ignored", name, ignored);
      }
      listed(pages, ignored == 0);
      forgetPages();
    }
  }

  private void forgetPages() {
    pages = new ArrayList<>();
    pageBytes = 0;
    ignored = 0;
  }

  /** Returns the maximum bytes of a catalogue in messages; the entries beyond are ignored. */
  private long maxBytes() {
    RelaySettings settings = context.settings();
    return settings.endpoint().memoryBytes() / MEMORY_SHARE / settings.from().size();
  }

  private void opened(Message.Opened answer) throws MalformedDataException {
    Sha256 id = answer.manifest().id();
    Source source = opening.remove(id);
    if (source == null) {
      throw new MalformedDataException(0, "object " + id + ", which was not asked for");
    }
    open.put(answer.alias(), source);
    source.opened(answer);
    if (!open.containsKey(answer.alias())) {
      context.upstreamChanged(); // closed meanwhile; another may want it now
    }
  }

  private void refused(Message.Refused refused) {
    Source source = opening.remove(refused.id());
    if (source != null) {
      LOGGER.log(Level.DEBUG, "{0}: {1}", name, refused.text());
      source.ended(refused.code(), refused.text());
    }
  }

  /** Closes the connection because a peer sent what is not valid. */
  void malformed(MalformedDataException e) {
    close(CloseCode.MALFORMED, String.valueOf(e.getMessage()));
  }

  @Override
  public void packet(ClientSession from, MemorySegment packet) {
    if (from != session) {
      return;
    }
    receivedBytes += packet.byteSize();
    try {
      Source source = open.get(Packet.alias(packet));
      if (source != null) {
        source.packet(packet);
      }
    } catch (MalformedDataException e) {
      malformed(e);
    }
  }
}
