package io.fieldstone.net.relay;

import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.events.NetworkEvents;
import io.fieldstone.net.session.BlockHashes;
import io.fieldstone.net.session.HashRequests;
import io.fieldstone.net.session.Message;
import io.fieldstone.net.session.OpenObject;
import io.fieldstone.net.session.PeerRole;
import io.fieldstone.net.session.RefusedException;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.rlnc.object.Conviction;
import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.object.GenerationTask;
import io.fieldstone.rlnc.object.ObjectReceiver;
import io.fieldstone.rlnc.object.ObjectRelay;
import io.fieldstone.rlnc.object.ObjectSender;
import io.fieldstone.rlnc.object.ReceiverListener;
import io.fieldstone.rlnc.object.ReceiverOptions;
import io.fieldstone.rlnc.object.RelayMode;
import io.fieldstone.rlnc.object.SenderKind;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An object that clients of a relay have open. First its hashes are fetched from all sources,
 * unless the cache has them. Then generations are fetched from all sources as clients want them.
 *
 * <p>A source is an upstream peer with fewer hops to the object than this relay, so relays in a
 * loop never wait for each other. On the loop of the relay.
 */
final class RelayedObject {

  private static final Logger LOGGER = System.getLogger(RelayedObject.class.getName());

  /** How often it is checked, in each stall timeout, whether a source sends no hashes. */
  private static final int CHECKS_PER_STALL_TIMEOUT = 4;

  /** The number of stall timeouts without any new hashes after which the object ends. */
  private static final int MAX_STALL_TIMEOUTS = 6;

  /** The time after which a source is asked again that had no place for this client. */
  private static final long FULL_SOURCE_RETRY_NANOS = 1_000_000_000L;

  private enum State {
    /** Waits for its hashes. */
    OPENING,
    /** Is relayed. */
    READY,
    /** Can be sent no more; the clients that have it open get a message. */
    ENDED,
    /** Is closed. */
    CLOSED
  }

  /** A peer, and the identity that it had when it sent; another may have its address now. */
  private record SendingPeer(Upstream upstream, Optional<Fingerprint> identity) {
    static SendingPeer of(Upstream upstream) {
      return new SendingPeer(upstream, upstream.fingerprint());
    }
  }

  /** The evidence against the only source. */
  private record Accusation(Source source, SendingPeer peer, Conviction conviction) {}

  /** A client that waits until the object is ready. */
  private record Waiting(String client, CompletableFuture<OpenObject> result) {}

  private final RelayContext context;
  private final Sha256 id;
  private final List<CatalogueEntry> listed;
  private final String name;
  private final List<Waiting> waiting = new ArrayList<>();
  private final Map<Upstream, Source> sources = new LinkedHashMap<>();

  /** The peers by their numbers as senders, including disconnected ones. */
  private final Map<Integer, SendingPeer> senders = new HashMap<>();

  /** The banned identities, whose blocks of this object are rejected. */
  private final Set<SendingPeer> convicted = new HashSet<>();

  /** Wrong bytes of the only source, which is asked about them before it is banned. */
  private Optional<Accusation> accusation = Optional.empty();

  private State state = State.OPENING;
  private @Nullable ObjectManifest manifest;

  /** The hashes that arrive while the object opens. */
  private @Nullable HashRequests<Source> arriving;

  /** When hashes arrived last, or the object was opened. */
  private long progressNanos = System.nanoTime();

  private @Nullable GenerationHashes hashes;
  private @Nullable CachedObject stored;
  private @Nullable ObjectRelay relay;

  /** Why it ended, if clients had it open then. */
  private @Nullable RefusedException end;

  private final List<Opened> clients = new ArrayList<>();

  /** When a client wanted blocks, or opened the object. */
  private long wantedNanos = System.nanoTime();

  private int pendingTasks;

  /**
   * Creates an object that the catalogue of the relay has.
   *
   * @param listed its lines of the catalogue, at least one; messages have the first name
   */
  RelayedObject(RelayContext context, Sha256 id, List<CatalogueEntry> listed) {
    this.context = context;
    this.id = id;
    this.listed = List.copyOf(listed);
    this.name = listed.getFirst().name();
  }

  Sha256 id() {
    return id;
  }

  /** Returns the lines of a catalogue for the object, which is complete: one for each name. */
  List<CatalogueEntry> entries() {
    return context.disk().entries(Objects.requireNonNull(stored));
  }

  /** Returns the bytes of its hashes, also those that are expected. */
  long hashBytes() {
    return manifest == null || state == State.CLOSED ? 0 : SourceHashes.bytes(manifest);
  }

  /** Returns true if its memory is free again. */
  boolean isClosed() {
    return state == State.CLOSED;
  }

  /** Returns true if all generations are in the cache. */
  boolean isComplete() {
    return state == State.READY && relay().receiver().isComplete();
  }

  /** Returns the receiver while the object is relayed. */
  Optional<ObjectReceiver> receiver() {
    return state == State.READY ? Optional.of(relay().receiver()) : Optional.empty();
  }

  /** Returns what the dashboard shows of it; empty before its hashes are there. */
  Optional<Snapshot.Item> item() {
    return receiver().map(each -> Snapshot.Item.received(name, each, clients.size()));
  }

  /** Returns the share of the packets of a source that are lost; empty before any is expected. */
  Optional<Double> lossShare(Source source) {
    return receiver()
        .filter(_ -> source.isReceiving())
        .map(each -> each.lossShare(source.number()));
  }

  private ObjectRelay relay() {
    return Objects.requireNonNull(relay, "not ready");
  }

  /** Opens the object for one client, now or when its hashes are there. */
  CompletableFuture<OpenObject> open(String client) {
    CompletableFuture<OpenObject> result = new CompletableFuture<>();
    waiting.add(new Waiting(client, result));
    wantedNanos = System.nanoTime();
    if (state == State.READY) {
      completeWaiting();
    }
    return result;
  }

  /** Returns the clients of the object, and the time of the last demand for its blocks. */
  Places.Use<RelayedObject> use(long now) {
    Set<String> users = new HashSet<>();
    waiting.forEach(each -> users.add(each.client));
    clients.forEach(each -> users.add(each.client));
    return new Places.Use<>(this, users, now - wantedNanos);
  }

  /** Ends the object, because another is wanted more. Its clients may open it again. */
  void makeRoom() {
    end(
        new RefusedException(
            Message.RefusalCode.LIMIT,
            "more than %d objects are relayed, and '%s' was wanted least"
                .formatted(RelayShelf.MAX_OBJECTS, name)));
  }

  /** Reads the object from the cache, and opens it at sources if generations are missing. */
  void begin() {
    Optional<CachedObject> cached = context.disk().find(id, listed);
    if (cached.isPresent()) {
      manifest = cached.get().hashes().manifest();
      ready(cached.get());
    } else if (context.hopsOf(id) == 0) {
      // The cache has lost it: once the catalogue has that, upstream peers have fewer hops to it.
      context.upstreamChanged();
    }
    upstreamChanged();
    checkProgress();
  }

  /** Closes sources whose hashes do not arrive, and ends the object if none arrive at all. */
  private void checkProgress() {
    if (state != State.OPENING) {
      return;
    }
    long stallNanos = context.stallNanos();
    long now = System.nanoTime();
    List<Source> stalled = arriving == null ? List.of() : arriving.stalled(now);
    stalled.stream()
        .filter(sources::containsValue)
        .forEach(source -> source.upstream().stalled("hashes do not arrive"));
    if (now - progressNanos >= MAX_STALL_TIMEOUTS * stallNanos) {
      end(
          new RefusedException(
              Message.RefusalCode.FAILED,
              "no source of this relay sends the hashes of '%s'".formatted(name)));
    }
    context.onLoop(this::checkProgress, stallNanos / CHECKS_PER_STALL_TIMEOUT);
  }

  /**
   * Opens the object at upstream peers with fewer hops to it than this relay, and closes it at the
   * other peers. Stores its new catalogue entries.
   */
  void upstreamChanged() {
    if (state == State.ENDED || state == State.CLOSED) {
      return;
    }
    if (stored != null) {
      context.disk().keep(stored, context.listed(id));
    }
    int own = context.hopsOf(id);
    boolean isOffered = false;
    for (Upstream upstream : context.upstreams()) {
      Optional<Integer> hops =
          convicted.contains(SendingPeer.of(upstream)) ? Optional.empty() : upstream.hopsOf(id);
      boolean isNearer = hops.isPresent() && hops.get() < own && !isComplete();
      isOffered |= hops.isPresent();
      Source source = sources.get(upstream);
      if (source != null && !isNearer) {
        drop(source);
        source.close();
      } else if (source == null && isNearer && upstream.isConnected()) {
        upstream.open(this).ifPresent(added -> sources.put(upstream, added));
      }
    }
    if (!isOffered && !isComplete()) {
      end(
          state == State.OPENING
              ? RefusedException.unknown(id)
              : new RefusedException(
                  Message.RefusalCode.UNKNOWN,
                  "no source of this relay offers '%s' any more".formatted(name)));
    }
  }

  /** A source has opened the object. */
  void opened(Source source) {
    Message.Opened answer = source.opened().orElseThrow();
    if (manifest == null) {
      Optional<String> obstacle =
          SourceHashes.obstacle(
              name,
              answer.manifest(),
              context.hashBytes(),
              new SourceHashes.Limits(
                  context.settings().endpoint().memoryBytes(),
                  Runtime.getRuntime().maxMemory(),
                  context.settings().cacheBytes()));
      int blockSize = answer.manifest().shape().blockSize();
      if (obstacle.isPresent()) {
        end(new RefusedException(Message.RefusalCode.FAILED, obstacle.get()));
        return;
      }
      int maxBlockSize = context.settings().maxBlockSize();
      if (blockSize > maxBlockSize) {
        end(
            new RefusedException(
                Message.RefusalCode.FAILED,
                "the blocks of '%s' have %d bytes; --max-block-size of the relay is %d"
                    .formatted(name, blockSize, maxBlockSize)));
        return;
      }
      manifest = answer.manifest();
    }
    if (state == State.READY) {
      start(source);
    } else {
      requestHashes();
    }
  }

  private void requestHashes() {
    List<Source> open = openSources();
    if (state != State.OPENING || open.isEmpty()) {
      return;
    }
    if (arriving == null) {
      arriving =
          new HashRequests<>(
              Objects.requireNonNull(manifest),
              context.stallNanos(),
              source -> source.opened().orElseThrow().alias(),
              Source::send);
    }
    if (arriving.isComplete()) {
      completeHashes(arriving);
    } else {
      arriving.request(open.stream(), () -> open.stream().findFirst());
    }
  }

  private List<Source> openSources() {
    return sources.values().stream().filter(each -> each.opened().isPresent()).toList();
  }

  /** Takes hashes that a source sent. */
  void hashes(Source source, Message.Hashes part) throws MalformedDataException {
    HashRequests<Source> expected = arriving;
    if (expected != null && sources.containsValue(source)) {
      expected.add(source, part);
      progressNanos = System.nanoTime();
      requestHashes();
    }
  }

  private void completeHashes(HashRequests<Source> complete) {
    try {
      GenerationHashes checked = complete.checked();
      arriving = null;
      ready(context.disk().create(listed, checked));
      blame(
          complete.wrongSenders(),
          new MalformedDataException(0, "hashes that are not of the object"));
    } catch (MalformedDataException e) {
      Set<Source> guilty = complete.wrong(openSources());
      if (guilty.isEmpty()) {
        requestHashes();
      } else {
        blame(guilty, e);
      }
    } catch (IOException e) {
      end(cannotKeep(e));
    }
  }

  private void blame(Set<Source> guilty, MalformedDataException problem) {
    guilty.stream()
        .filter(sources::containsValue)
        .forEach(source -> source.upstream().malformed(problem));
  }

  private void ready(CachedObject object) {
    RelaySettings settings = context.settings();
    stored = object;
    hashes = object.hashes();
    ObjectRelay made =
        ObjectRelay.builder(
                context.engine(), context.memory(), object.hashes(), object, context.nextSeed())
            .verified(object.generations())
            .mode(settings.isImmediate() ? RelayMode.IMMEDIATE : RelayMode.VERIFIED)
            .options(new ReceiverOptions(RelayShelf.windowBytes(settings), true, this::verify))
            .listener(new Events())
            .build();
    object.onRemoved(this::forget);
    relay = made;
    state = State.READY;
    openSources().forEach(this::start);
    completeWaiting();
  }

  /**
   * Forgets a generation that the cache has lost. A complete object has no sources any more, and
   * needs some again.
   */
  private void forget(int generation) {
    boolean wasComplete = isComplete();
    relay().forget(generation);
    if (wasComplete) {
      context.upstreamChanged();
    }
  }

  private void completeWaiting() {
    List<Waiting> all = List.copyOf(waiting);
    waiting.clear();
    List<Opened> opened = all.stream().map(each -> new Opened(each.client)).toList();
    clients.addAll(opened);
    for (int i = 0; i < all.size(); i++) {
      all.get(i).result.complete(opened.get(i));
    }
  }

  private void start(Source source) {
    accusation.ifPresent(this::convict); // there is another source now
    Message.Opened answer = source.opened().orElseThrow();
    SenderKind kind =
        switch (source.upstream().role()) {
          case IMMEDIATE_RELAY -> SenderKind.IMMEDIATE;
          case VERIFIED_RELAY -> SenderKind.RELAY;
          default -> SenderKind.ORIGIN;
        };
    SendingPeer peer = SendingPeer.of(source.upstream());
    List<Integer> before =
        senders.entrySet().stream()
            .filter(each -> each.getValue().equals(peer))
            .map(Map.Entry::getKey)
            .toList();
    int number = relay().receiver().addSender(answer.seed(), kind, answer.alias(), before);
    senders.put(number, peer);
    source.start(number);
  }

  /** Takes a packet. */
  void packet(Source source, MemorySegment packet) throws MalformedDataException {
    if (state != State.READY) {
      return;
    }
    try {
      source.upstream().arrived(relay().receiver().receive(source.number(), packet));
    } catch (IOException e) {
      end(cannotKeep(e));
    }
  }

  /**
   * Asks the only source, which sent wrong bytes, for the hashes of their blocks. A server whose
   * file has changed detects that when it reads them, and ends the object.
   */
  private void accuse(Accusation accused) {
    if (state != State.READY) {
      return; // the source cannot answer any more
    }
    if (!sources.containsValue(accused.source)) {
      convict(accused);
      return;
    }
    accusation = Optional.of(accused);
    int alias = accused.source.opened().orElseThrow().alias();
    accused.source.send(new Message.LeavesRequest(alias, accused.conviction.generation()));
    context.onLoop(
        () -> accusation.filter(accused::equals).ifPresent(this::convict), context.stallNanos());
  }

  private void convict(Accusation proved) {
    accusation = Optional.empty();
    convict(proved.peer, proved.conviction);
  }

  private void convict(SendingPeer guilty, Conviction conviction) {
    convicted.add(guilty);
    context.convicted(guilty.upstream(), guilty.identity(), conviction, id);
  }

  /** Takes hashes of blocks: a source that has the right ones has sent wrong bytes. */
  void leaves(Source source, Message.Leaves part) {
    accusation
        .filter(each -> each.source == source)
        .filter(each -> each.conviction.generation() == part.generation())
        .ifPresent(this::convict);
  }

  /** The connection of a source has ended. */
  void lost(Source source) {
    accusation.filter(each -> each.source == source).ifPresent(this::convict);
    drop(source);
    requestHashes();
  }

  /** A source does not send the object. */
  void ended(Source source, Message.RefusalCode code, String text) {
    Optional<Accusation> own = accusation.filter(each -> each.source == source);
    if (own.isPresent()) {
      accusation = Optional.empty();
      if (code != Message.RefusalCode.CHANGED) {
        convict(own.get());
      }
    }
    drop(source);
    boolean isElsewhere =
        context.upstreams().stream()
            .anyMatch(each -> each != source.upstream() && each.hopsOf(id).isPresent());
    boolean isFinal =
        code == Message.RefusalCode.CHANGED || code == Message.RefusalCode.NARROW_PATH;
    if (isFinal && !isElsewhere && !isComplete()) {
      end(new RefusedException(code, "%s: %s".formatted(source.upstream().name(), text)));
    } else {
      requestHashes();
    }
    if (code == Message.RefusalCode.LIMIT) {
      context.onLoop(this::upstreamChanged, FULL_SOURCE_RETRY_NANOS);
    }
  }

  private void drop(Source source) {
    sources.remove(source.upstream(), source);
    if (source.number() >= 0 && relay != null) {
      relay.receiver().removeSender(source.number());
    }
    if (arriving != null) {
      arriving.remove(source);
    }
  }

  /** Decodes and hashes a generation on another thread. */
  private void verify(GenerationTask task) {
    pendingTasks++;
    context.work(() -> {
      try {
        NetworkEvents.verify(task, id);
        context.onLoop(() -> verified(task, Optional.empty()));
      } catch (RuntimeException | Error e) {
        context.onLoop(() -> verified(task, Optional.of(e)));
      }
    });
  }

  private void verified(GenerationTask task, Optional<Throwable> failure) {
    pendingTasks--;
    if (state == State.READY && failure.isPresent()) {
      LOGGER.log(Level.WARNING, name + ": cannot decode", failure.get());
      end(
          new RefusedException(
              Message.RefusalCode.FAILED,
              "the relay cannot decode '%s': %s".formatted(name, failure.get().getMessage())));
    } else if (state == State.READY) {
      try {
        relay().receiver().finish(task);
        if (isComplete()) {
          LOGGER.log(Level.INFO, "{0}: all of it is in the cache", name);
          context.objectCompleted();
        }
      } catch (IOException e) {
        end(cannotKeep(e));
      }
    } else {
      closeIfUnused();
    }
  }

  /** Returns the reason to end after the cache could not be written. */
  private RefusedException cannotKeep(IOException cause) {
    return new RefusedException(
        Message.RefusalCode.FAILED,
        "the relay cannot keep '%s': %s".formatted(name, cause.getMessage()));
  }

  private void end(RefusedException reason) {
    if (state == State.ENDED || state == State.CLOSED) {
      return;
    }
    LOGGER.log(Level.INFO, "{0}: {1}", name, reason.getMessage());
    state = State.ENDED;
    end = reason;
    closeSources();
    List<Waiting> all = List.copyOf(waiting);
    waiting.clear();
    all.forEach(each -> each.result.completeExceptionally(reason));
    context.released(this);
    context.objectEnded();
    closeIfUnused();
  }

  /** Closes all sources, and drops an accusation, which none can answer any more. */
  private void closeSources() {
    accusation = Optional.empty();
    List.copyOf(sources.values())
        .forEach(source -> {
          drop(source);
          source.close();
        });
  }

  private void released(Opened client) {
    clients.remove(client);
    if (clients.isEmpty() && state == State.READY) {
      state = State.ENDED;
      closeSources();
      context.released(this);
    }
    closeIfUnused();
  }

  private void closeIfUnused() {
    if (state == State.ENDED && clients.isEmpty() && pendingTasks == 0) {
      close();
    }
  }

  /** Frees the memory. No task may be running. Idempotent. */
  void close() {
    if (state == State.CLOSED) {
      return;
    }
    state = State.CLOSED;
    waiting.forEach(each ->
        each.result.completeExceptionally(
            new RefusedException(Message.RefusalCode.UNKNOWN, "the relay stops")));
    waiting.clear();
    if (relay != null) {
      relay.close();
    }
    if (stored != null) {
      try {
        stored.close();
      } catch (IOException e) {
        LOGGER.log(Level.WARNING, "{0}: {1}", name, e.getMessage());
      }
    }
  }

  /** Handles the events of the receiver. */
  private final class Events implements ReceiverListener {
    @Override
    public void polluted(int generation) {
      for (Source source : sources.values()) {
        if (source.upstream().role() == PeerRole.IMMEDIATE_RELAY && source.isReceiving()) {
          source.send(new Message.Polluted(source.opened().orElseThrow().alias(), generation));
        }
      }
    }

    @Override
    public void convicted(Conviction conviction) {
      SendingPeer guilty = senders.get(conviction.sender());
      if (guilty == null) {
        return;
      }
      Source source = sources.get(guilty.upstream());
      // The receiver is at work now.
      if (source != null
          && source.number() == conviction.sender()
          && sources.size() == 1
          && conviction.isProof()) {
        context.onLoop(() -> accuse(new Accusation(source, guilty, conviction)));
      } else {
        convicted.add(guilty);
        context.onLoop(() -> convict(guilty, conviction));
      }
    }
  }

  /** The object as one client has it open. */
  private final class Opened implements OpenObject {
    private final String client;
    private @Nullable ObjectSender sender;
    private boolean isClosed;

    Opened(String client) {
      this.client = client;
    }

    @Override
    public ObjectManifest manifest() {
      return relay().manifest();
    }

    @Override
    public List<Sha256> hashes() {
      return Objects.requireNonNull(hashes).all();
    }

    @Override
    public CompletableFuture<List<Sha256>> leaves(int generation) {
      if (!relay().receiver().isVerified(generation)) {
        return CompletableFuture.failedFuture(new MissingGenerationException(generation));
      }
      CompletableFuture<List<Sha256>> result = new CompletableFuture<>();
      CachedObject from = Objects.requireNonNull(stored);
      context.work(() -> {
        try {
          List<Sha256> leaves = BlockHashes.read(from, from.hashes().manifest(), generation);
          context.onLoop(() -> result.complete(leaves));
        } catch (IOException e) {
          context.onLoop(() -> result.completeExceptionally(e));
        }
      });
      return result;
    }

    @Override
    public ObjectSender sender(int alias) {
      ObjectSender added = relay().addSender(alias);
      sender = added;
      return added;
    }

    @Override
    public void requireAvailable() throws RefusedException {
      if (state != State.READY) {
        throw Objects.requireNonNull(end);
      }
    }

    @Override
    public boolean recovers(IOException failure) {
      if (state != State.READY || !(failure instanceof MissingGenerationException missing)) {
        return false;
      }
      if (relay().receiver().isVerified(missing.generation())) {
        LOGGER.log(Level.WARNING, "{0}: {1}; it is fetched again", name, failure.getMessage());
        forget(missing.generation());
      }
      return true;
    }

    @Override
    public void reported() {
      if (sender != null && sender.hasDemand()) {
        wantedNanos = System.nanoTime();
      }
    }

    /** A relay that verifies ignores it: what it sends is right. */
    @Override
    public void polluted(int generation) {
      if (state == State.READY && context.settings().isImmediate()) {
        relay().receiver().suspect(generation);
      }
    }

    @Override
    public void close() {
      if (isClosed) {
        return;
      }
      isClosed = true;
      if (sender != null && state != State.CLOSED) {
        relay().removeSender(sender);
      }
      released(this);
    }
  }
}
