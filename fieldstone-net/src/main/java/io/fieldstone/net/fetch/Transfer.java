package io.fieldstone.net.fetch;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.ConnectFailedException;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.catalogue.CatalogueEntry;
import io.fieldstone.net.events.GenerationVerifyEvent;
import io.fieldstone.net.events.PeerConvictedEvent;
import io.fieldstone.net.fetch.ServerLink.State;
import io.fieldstone.net.session.ClientListener;
import io.fieldstone.net.session.ClientSession;
import io.fieldstone.net.session.CloseCode;
import io.fieldstone.net.session.HashCollector;
import io.fieldstone.net.session.Message;
import io.fieldstone.net.session.PeerRole;
import io.fieldstone.net.trust.Fingerprint;
import io.fieldstone.net.trust.KnownServers;
import io.fieldstone.net.trust.ServerTrust;
import io.fieldstone.rlnc.crypto.PublisherKey;
import io.fieldstone.rlnc.object.Arrival;
import io.fieldstone.rlnc.object.Conviction;
import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.object.GenerationTask;
import io.fieldstone.rlnc.object.ObjectReceiver;
import io.fieldstone.rlnc.object.Packet;
import io.fieldstone.rlnc.object.ReceiverListener;
import io.fieldstone.rlnc.object.ReceiverOptions;
import io.fieldstone.rlnc.object.SenderKind;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One fetch: finds the object, opens it at all servers, and feeds its receiver until the object is
 * complete.
 *
 * <p>Loops of connections, threads that decode, and the caller's thread share it; all state is
 * guarded by its lock.
 */
final class Transfer implements ClientListener, AutoCloseable {

  private static final Logger LOGGER = System.getLogger(Transfer.class.getName());

  /** The time between looks at servers that stall or wait. */
  private static final long TICK_MILLIS = 50;

  /** The time for which other servers are waited for once one has the name. */
  private static final long CHOICE_NANOS = 3_000_000_000L;

  /** The stalls after which a server is not tried again. */
  private static final int MAX_STALLS = 3;

  /**
   * The attempts to connect to a server that never answered. Over a link that loses a fifth of the
   * packets in both directions, one attempt in some ten fails.
   */
  private static final int MAX_NO_ANSWERS = 3;

  /** The requests for hashes that are sent ahead. */
  private static final int HASH_REQUESTS = 2;

  private static final long MIN_REPORT_NANOS = 5_000_000;
  private static final int MAX_REPORT_BYTES = 1500;
  private static final Pattern FULL_ID = Pattern.compile("[0-9a-fA-F]{64}");

  /** The step for which the transfer waits. */
  private enum Phase {
    CHOOSING,
    HASHES,
    KEPT_BYTES,
    BLOCKS,
    ENDED
  }

  private final Engine engine;
  private final Carrier carrier;
  private final FetchSettings settings;
  private final Destination destination;
  private final FetchListener listener;
  private final ServerTrust trust;
  private final ExecutorService workers;
  private final int threads;
  private final ObjectChoice choice;
  private final List<ServerLink> links = new ArrayList<>();
  private final Map<ServerLink, List<CatalogueEntry>> answers = new LinkedHashMap<>();
  private final long startNanos = System.nanoTime();
  private Phase phase = Phase.CHOOSING;
  private long firstAnswerNanos;
  private long lastProgressNanos = startNanos;
  private String name;
  private @Nullable Sha256 id;
  private Optional<PublisherKey> publisher = Optional.empty();
  private @Nullable Decryption decryption;
  private @Nullable HashCollector collector;
  private @Nullable ServerLink hashSource;
  private long hashNanos;
  private @Nullable GenerationHashes hashes;
  private @Nullable ObjectReceiver receiver;
  private @Nullable Exception failure;
  private final Map<Integer, List<Sha256>> leaves = new HashMap<>();
  private long doneBytes;
  private long resumedBytes;
  private long blocksNeeded;
  private int wantedEnd;
  private int pendingTasks;

  Transfer(
      Engine engine,
      Carrier carrier,
      FetchSettings settings,
      Destination destination,
      FetchListener listener,
      ExecutorService workers,
      int threads) {
    this.engine = engine;
    this.carrier = carrier;
    this.settings = settings;
    this.destination = destination;
    this.listener = listener;
    this.workers = workers;
    this.threads = threads;
    this.name = settings.query();
    this.choice = new ObjectChoice(settings.query(), settings.publishers());
    this.trust = new ServerTrust(settings.trusted(), settings.state());
    for (InetSocketAddress address : settings.servers()) {
      links.add(new ServerLink(address, KnownServers.name(address)));
    }
    if (FULL_ID.matcher(settings.query()).matches() && settings.publishers().isEmpty()) {
      id = Sha256.parse(settings.query().toLowerCase(Locale.ROOT));
    }
  }

  /** Fetches the object; returns when it is in its place. */
  FetchResult run() throws IOException, FetchFailedException, InterruptedException {
    awaitHashes();
    BitSet kept = destination.begin(hashes(), decryption().content(), threads);
    begin(kept);
    awaitBlocks();
    destination.commit();
    return result();
  }

  private void awaitHashes() throws IOException, FetchFailedException, InterruptedException {
    await(Phase.KEPT_BYTES);
  }

  private synchronized GenerationHashes hashes() {
    return Objects.requireNonNull(hashes);
  }

  private synchronized Decryption decryption() {
    return Objects.requireNonNull(decryption);
  }

  private synchronized void begin(BitSet kept) throws IOException, FetchFailedException {
    throwFailure();
    ObjectManifest object = hashes().manifest();
    for (int g = kept.nextSetBit(0); g >= 0; g = kept.nextSetBit(g + 1)) {
      resumedBytes += decryption().content().bytesOf(g);
    }
    for (int g = kept.nextClearBit(0); g < object.generations(); g = kept.nextClearBit(g + 1)) {
      blocksNeeded += object.shapeOf(g).blocks();
    }
    doneBytes = resumedBytes;
    receiver =
        new ObjectReceiver(
            engine,
            hashes(),
            kept,
            new ReceiverOptions(
                settings.windowBytes(), destination instanceof OrderedOutput, this::verify),
            this::verified,
            new Events());
    phase = Phase.BLOCKS;
    lastProgressNanos = System.nanoTime();
    links.stream().filter(link -> link.state == State.OPEN).forEach(this::startReceiving);
    wantMore();
    checkComplete();
  }

  private void awaitBlocks() throws IOException, FetchFailedException, InterruptedException {
    await(Phase.ENDED);
    synchronized (this) {
      while (pendingTasks > 0) {
        wait();
      }
    }
  }

  /** Waits for a phase, and looks after the servers meanwhile. */
  private synchronized void await(Phase wanted)
      throws IOException, FetchFailedException, InterruptedException {
    while (true) {
      throwFailure();
      if (phase.compareTo(wanted) >= 0) {
        return;
      }
      tick(System.nanoTime());
      if (failure == null && phase.compareTo(wanted) < 0) {
        wait(TICK_MILLIS);
      }
    }
  }

  private void throwFailure() throws IOException, FetchFailedException {
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof FetchFailedException e) {
      throw e;
    }
  }

  private void fail(Exception e) {
    if (failure == null) {
      failure = e;
    }
    notifyAll();
  }

  private void tick(long now) {
    for (ServerLink link : links) {
      if (link.state == State.WAITING && now - link.connectAtNanos >= 0) {
        connect(link);
      } else if (link.state == State.OPEN && phase == Phase.BLOCKS) {
        checkStall(link, now);
      } else if (link == hashSource && now - hashNanos > settings.stallNanos()) {
        stalled(link, "hashes do not arrive");
      }
    }
    if (phase == Phase.CHOOSING && id == null) {
      choose(now);
    }
    checkHopes(now);
  }

  /** Fails if no server can be hoped for. */
  private void checkHopes(long now) {
    boolean isHopeless = links.stream().allMatch(link -> link.state == State.LEFT);
    boolean isUnreachable =
        links.stream().allMatch(link -> link.isTried && !link.wasAccepted && !isTrying(link));
    if (isHopeless || isUnreachable) {
      fail(new FetchFailedException(problems("cannot fetch " + name)));
    } else if (now - lastProgressNanos > settings.patienceNanos()) {
      fail(
          new FetchFailedException(
              problems(
                  "no progress on %s for %d s"
                      .formatted(name, settings.patienceNanos() / 1_000_000_000L))));
    }
  }

  private static boolean isTrying(ServerLink link) {
    return link.state != State.WAITING && link.state != State.LEFT;
  }

  private String problems(String what) {
    String reasons =
        links.stream()
            .filter(link -> !link.problem.isEmpty())
            .map(link -> link.name + ": " + link.problem)
            .collect(Collectors.joining("; "));
    return reasons.isEmpty() ? what : what + ": " + reasons;
  }

  // Connections

  private void connect(ServerLink link) {
    link.state = State.CONNECTING;
    InetSocketAddress resolved =
        new InetSocketAddress(link.address.getHostString(), link.address.getPort());
    if (resolved.isUnresolved()) {
      lost(link, "unknown host", false);
      return;
    }
    ClientSession session = new ClientSession(settings.token(), this);
    link.session = Optional.of(session);
    AtomicReference<String> distrust = new AtomicReference<>("");
    CompletableFuture<?> _ =
        carrier
            .connect(
                resolved,
                fingerprint -> {
                  Optional<String> problem = trust.problem(link.name, fingerprint);
                  problem.ifPresent(distrust::set);
                  return problem.isEmpty();
                },
                session)
            .whenComplete((_, error) -> {
              if (error != null) {
                connectFailed(link, session, error, distrust.get());
              }
            });
  }

  private synchronized void connectFailed(
      ServerLink link, ClientSession session, Throwable error, String distrust) {
    if (!link.isCurrent(session)) {
      return;
    }
    Throwable cause =
        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    boolean isFinal = !distrust.isEmpty();
    if (cause instanceof ConnectFailedException failed) {
      CloseReason.Kind kind = failed.reason().kind();
      isFinal |= kind == CloseReason.Kind.UNTRUSTED || kind == CloseReason.Kind.VERSION_MISMATCH;
    }
    lost(
        link,
        distrust.isEmpty() ? withoutName(link, String.valueOf(cause.getMessage())) : distrust,
        isFinal);
    if (!isFinal && isNoAnswer(cause) && ++link.noAnswers < MAX_NO_ANSWERS && !link.wasAccepted) {
      // Packets of the handshake may have been lost.
      link.isTried = false;
      link.connectAtNanos = System.nanoTime();
    }
  }

  private static boolean isNoAnswer(Throwable cause) {
    return cause instanceof ConnectFailedException failed
        && failed.reason().kind() == CloseReason.Kind.TIMED_OUT;
  }

  /** Returns a problem without the address before it, which is shown anyway. */
  private static String withoutName(ServerLink link, String problem) {
    int colon = problem.indexOf(": ");
    return colon > 0 && problem.substring(0, colon).endsWith(":" + link.address.getPort())
        ? problem.substring(colon + 2)
        : problem;
  }

  /** Notes that a connection has ended. */
  private void lost(ServerLink link, String problem, boolean isFinal) {
    link.isTried = true;
    link.session = Optional.empty();
    link.opened = Optional.empty();
    link.problem = problem;
    answers.remove(link);
    stopReceiving(link);
    if (hashSource == link) {
      hashSource = null;
    }
    if (isFinal) {
      link.state = State.LEFT;
      LOGGER.log(Level.WARNING, "{0}: left: {1}", link.name, problem);
    } else {
      link.state = State.WAITING;
      link.connectAtNanos = System.nanoTime() + link.backoff.nextNanos();
      LOGGER.log(Level.DEBUG, "{0}: {1}", link.name, problem);
    }
    requestHashes();
    sharePacing();
    notifyAll();
  }

  /** Leaves a server for good. */
  private void leave(ServerLink link, long code, String problem) {
    Optional<ClientSession> session = link.session;
    lost(link, problem, true);
    session.ifPresent(each -> each.connection().close(code, problem));
  }

  @Override
  public synchronized void accepted(ClientSession session, PeerRole role) {
    Optional<ServerLink> found = find(session);
    if (found.isEmpty() || phase == Phase.ENDED) {
      session.connection().close(CloseReason.DONE, "");
      return;
    }
    ServerLink link = found.get();
    link.isTried = true;
    link.wasAccepted = true;
    link.role = role;
    link.problem = "";
    Optional<Fingerprint> fingerprint = session.connection().remoteFingerprint();
    link.fingerprint = fingerprint;
    if (fingerprint.isPresent()) {
      try {
        trust.remember(link.name, fingerprint.get());
      } catch (IOException e) {
        LOGGER.log(
            Level.WARNING,
            "cannot remember the fingerprint of {0}: {1}",
            link.name,
            e.getMessage());
      }
    }
    if (id == null) {
      link.state = State.ASKED;
      session.send(new Message.Find(settings.query()));
    } else {
      open(link);
    }
  }

  @Override
  public synchronized void closed(ClientSession session, CloseReason reason) {
    find(session)
        .ifPresent(link ->
            lost(
                link,
                reason.text().isEmpty() ? "the connection was closed" : reason.text(),
                reason.kind() == CloseReason.Kind.CLOSED_BY_PEER
                    && CloseCode.isFinal(reason.code())));
  }

  private Optional<ServerLink> find(ClientSession session) {
    for (ServerLink link : links) {
      if (link.isCurrent(session)) {
        return Optional.of(link);
      }
    }
    return Optional.empty();
  }

  // The choice of the object

  /** Chooses the object once every server has answered or failed. */
  private void choose(long now) {
    boolean isWaiting =
        links.stream()
            .anyMatch(link ->
                link.state == State.ASKED || (link.state == State.CONNECTING && !link.isTried));
    boolean isLate =
        !answers.isEmpty() && now - firstAnswerNanos > CHOICE_NANOS && choice.isFound(answers);
    if (answers.isEmpty() || (isWaiting && !isLate)) {
      return;
    }
    try {
      Optional<ObjectChoice.Chosen> chosen = choice.choose(answers);
      if (chosen.isEmpty()) {
        fail(new FetchFailedException(problems(choice.absence())));
        return;
      }
      id = chosen.get().entry().id();
      name = chosen.get().entry().name();
      publisher = chosen.get().publisher();
    } catch (FetchFailedException e) {
      fail(e);
      return;
    }
    for (ServerLink link : List.copyOf(answers.keySet())) {
      openIfSame(link, Objects.requireNonNull(answers.get(link)));
    }
    answers.clear();
  }

  private void openIfSame(ServerLink link, List<CatalogueEntry> found) {
    if (found.stream().anyMatch(entry -> entry.id().equals(id))) {
      open(link);
    } else if (found.isEmpty()) {
      leave(link, CloseReason.DONE, "has no such object");
    } else {
      leave(link, CloseReason.DONE, "has another object of this name: " + found.getFirst().id());
    }
  }

  private void open(ServerLink link) {
    link.state = State.OPENING;
    Sha256 wanted = Objects.requireNonNull(id);
    link.session.ifPresent(
        session -> session.connection().execute(() -> session.send(new Message.Open(wanted))));
  }

  // Messages

  @Override
  public synchronized void message(ClientSession session, Message message) {
    Optional<ServerLink> found = find(session);
    if (found.isEmpty()) {
      return;
    }
    ServerLink link = found.get();
    try {
      switch (message) {
        case Message.Found answer -> answered(link, answer.entries());
        case Message.Opened answer -> opened(link, answer);
        case Message.Refused refused -> refused(link, refused);
        case Message.Hashes part -> hashesArrived(link, part);
        case Message.Leaves part -> leavesArrived(part);
        case Message.Available available -> available(link, available);
        case Message.Ended ended -> leave(link, CloseReason.DONE, ended.text());
        default -> {}
      }
    } catch (MalformedDataException e) {
      leave(link, CloseCode.MALFORMED, String.valueOf(e.getMessage()));
    }
  }

  private void answered(ServerLink link, List<CatalogueEntry> found) {
    if (link.state != State.ASKED) {
      return;
    }
    link.state = State.ANSWERED;
    if (id != null) {
      openIfSame(link, found);
      return;
    }
    if (answers.isEmpty()) {
      firstAnswerNanos = System.nanoTime();
    }
    answers.put(link, found);
    notifyAll();
  }

  private void refused(ServerLink link, Message.Refused refused) {
    if (refused.code() == Message.RefusalCode.LIMIT) {
      link.session.ifPresent(each -> each.connection().close(CloseReason.DONE, ""));
      lost(link, refused.text(), false);
    } else {
      leave(link, CloseReason.DONE, refused.text());
    }
  }

  private void opened(ServerLink link, Message.Opened opened) throws MalformedDataException {
    if (link.state != State.OPENING) {
      return;
    }
    Sha256 given = opened.manifest().id();
    if (!given.equals(id)) {
      throw new MalformedDataException(0, "the manifest of %s, not %s".formatted(given, id));
    }
    link.state = State.OPEN;
    link.opened = Optional.of(opened);
    link.backoff.reset();
    if (phase == Phase.CHOOSING) {
      try {
        decryption = Decryption.of(name, opened.manifest(), settings.key());
      } catch (FetchFailedException e) {
        fail(e);
        return;
      }
      phase = Phase.HASHES;
      collector = new HashCollector(opened.manifest());
    }
    sharePacing();
    if (phase == Phase.BLOCKS) {
      startReceiving(link);
    } else {
      requestHashes();
    }
    notifyAll();
  }

  private void requestHashes() {
    if (phase != Phase.HASHES || hashSource != null) {
      return;
    }
    HashCollector wanted = Objects.requireNonNull(collector);
    if (wanted.isComplete()) {
      completeHashes(Optional.empty());
      return;
    }
    List<ServerLink> fewestStalls =
        links.stream().sorted(Comparator.comparingInt(link -> link.stalls)).toList();
    for (ServerLink link : fewestStalls) {
      if (link.state == State.OPEN) {
        hashSource = link;
        hashNanos = System.nanoTime();
        wanted.clear();
        for (int i = 0; i < HASH_REQUESTS; i++) {
          requestMoreHashes(link, wanted);
        }
        return;
      }
    }
  }

  private static void requestMoreHashes(ServerLink link, HashCollector wanted) {
    int alias = link.opened.orElseThrow().alias();
    ClientSession session = link.session.orElseThrow();
    wanted
        .next()
        .ifPresent(range ->
            session
                .connection()
                .execute(() ->
                    session.send(new Message.HashesRequest(alias, range.first(), range.count()))));
  }

  private void hashesArrived(ServerLink link, Message.Hashes part) throws MalformedDataException {
    HashCollector wanted = collector;
    if (phase != Phase.HASHES || hashSource != link || wanted == null) {
      return;
    }
    wanted.add(part.first(), part.hashes());
    hashNanos = System.nanoTime();
    lastProgressNanos = hashNanos;
    if (wanted.isComplete()) {
      completeHashes(Optional.of(link));
    } else {
      requestMoreHashes(link, wanted);
    }
  }

  private void completeHashes(Optional<ServerLink> source) {
    HashCollector complete = Objects.requireNonNull(collector);
    try {
      hashes = new GenerationHashes(decryption().content().manifest(), complete.hashes());
      collector = null;
      phase = Phase.KEPT_BYTES;
      notifyAll();
    } catch (MalformedDataException e) {
      complete.clear();
      source.ifPresent(link -> leave(link, CloseCode.MALFORMED, String.valueOf(e.getMessage())));
    }
  }

  private void available(ServerLink link, Message.Available available) {
    ObjectReceiver to = receiver;
    for (Message.Range range : available.ranges()) {
      link.available.set(range.first(), range.first() + range.count());
    }
    if (to != null && link.sender != ServerLink.NO_SENDER) {
      to.setAvailable(link.sender, bounded(link.available, to.manifest()));
    }
  }

  private static BitSet bounded(BitSet generations, ObjectManifest object) {
    BitSet known = (BitSet) generations.clone();
    known.clear(object.generations(), Math.max(object.generations(), known.length()));
    return known;
  }

  // Blocks

  private void startReceiving(ServerLink link) {
    Message.Opened opened = link.opened.orElseThrow();
    ObjectReceiver to = Objects.requireNonNull(receiver);
    SenderKind kind =
        switch (link.role) {
          case IMMEDIATE_RELAY -> SenderKind.IMMEDIATE;
          case VERIFIED_RELAY -> SenderKind.RELAY;
          default -> SenderKind.ORIGIN;
        };
    link.sender = to.addSender(opened.seed(), kind, opened.alias());
    link.senders.add(link.sender);
    if (!opened.isComplete()) {
      to.setAvailable(link.sender, bounded(link.available, to.manifest()));
    }
    link.lastPacketNanos = System.nanoTime();
    link.askedNanos = link.lastPacketNanos;
    ClientSession session = link.session.orElseThrow();
    MemorySegment report = MemorySegment.ofArray(new byte[MAX_REPORT_BYTES]);
    session.connection().execute(() -> report(link, session, report));
  }

  private void stopReceiving(ServerLink link) {
    if (receiver != null && link.sender != ServerLink.NO_SENDER) {
      receiver.removeSender(link.sender);
    }
    link.sender = ServerLink.NO_SENDER;
    link.available.clear();
  }

  /** Sends a report, and schedules the next. On the loop of the connection. */
  private synchronized void report(ServerLink link, ClientSession session, MemorySegment memory) {
    ObjectReceiver from = receiver;
    if (!link.isCurrent(session)
        || phase != Phase.BLOCKS
        || from == null
        || link.sender == ServerLink.NO_SENDER) {
      return;
    }
    Connection connection = session.connection();
    long room = Math.min(memory.byteSize(), connection.maxDatagramBytes());
    if (room >= ObjectReceiver.MIN_REPORT_BYTES) {
      long delayMicros = (System.nanoTime() - link.lastPacketNanos) / 1000;
      int bytes = from.report(link.sender, delayMicros, memory.asSlice(0, room));
      if (bytes > 0) {
        // A report that is not accepted is replaced by the next.
        boolean isAccepted = connection.sendDatagram(memory.asSlice(0, bytes));
        if (isAccepted) {
          connection.flush();
        }
      }
    }
    offerLeaves();
    long interval = Math.max(MIN_REPORT_NANOS, connection.stats().rttNanos() / 4);
    Cancellable _ = connection.schedule(() -> report(link, session, memory), interval);
  }

  @Override
  public synchronized void packet(ClientSession session, MemorySegment packet) {
    Optional<ServerLink> found = find(session);
    ObjectReceiver to = receiver;
    if (found.isEmpty() || to == null || found.get().sender == ServerLink.NO_SENDER) {
      return;
    }
    ServerLink link = found.get();
    link.lastPacketNanos = System.nanoTime();
    try {
      if (Packet.alias(packet) != link.opened.orElseThrow().alias()) {
        return; // late, of an object that was closed
      }
      Arrival arrival = to.receive(link.sender, packet);
      if (arrival == Arrival.INNOVATIVE) {
        link.blocks++;
        lastProgressNanos = link.lastPacketNanos;
      } else {
        link.redundant++;
      }
    } catch (MalformedDataException e) {
      leave(link, CloseCode.MALFORMED, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      fail(e);
    }
  }

  private void checkStall(ServerLink link, long now) {
    if (Objects.requireNonNull(receiver).outstanding(link.sender) == 0) {
      link.askedNanos = now;
      return;
    }
    if (now - Math.max(link.lastPacketNanos, link.askedNanos) < settings.stallNanos()) {
      return;
    }
    stalled(link, "nothing arrives");
  }

  /** Leaves a server that does not send what was asked for; it is tried again a few times. */
  private void stalled(ServerLink link, String symptom) {
    link.stalls++;
    String problem = "stalled: %s for %.1f s".formatted(symptom, settings.stallNanos() / 1e9);
    Optional<ClientSession> session = link.session;
    lost(link, problem, link.stalls >= MAX_STALLS);
    LOGGER.log(Level.WARNING, "{0}: {1}", link.name, problem);
    session.ifPresent(each -> each.connection().close(CloseCode.STALLED, problem));
  }

  /** Decodes and hashes a generation on another thread. */
  private void verify(GenerationTask task) {
    pendingTasks++;
    Sha256 object = Objects.requireNonNull(id);
    workers.execute(() -> {
      try {
        GenerationVerifyEvent.run(task, object);
        finish(task);
      } finally {
        endTask();
      }
    });
  }

  private synchronized void finish(GenerationTask task) {
    ObjectReceiver to = receiver;
    if (to == null || failure != null) {
      return;
    }
    try {
      to.finish(task);
      checkComplete();
    } catch (IOException e) {
      fail(e);
    }
  }

  private synchronized void endTask() {
    pendingTasks--;
    notifyAll();
  }

  private void verified(int generation, MemorySegment bytes) throws IOException {
    MemorySegment fileBytes;
    try {
      fileBytes = decryption().bytes(generation, bytes);
    } catch (FetchFailedException e) {
      fail(e);
      throw new IOException(e);
    }
    destination.verified(generation, fileBytes);
    leaves.remove(generation);
    doneBytes += fileBytes.byteSize();
    lastProgressNanos = System.nanoTime();
    int sources = (int) links.stream().filter(link -> link.sender >= 0).count();
    listener.progress(doneBytes, decryption().content().length(), sources);
    wantMore();
  }

  /** Called when an ordered output takes more, or has failed. */
  synchronized void outputChanged() {
    if (destination instanceof OrderedOutput output && output.failure().isPresent()) {
      fail(output.failure().get());
    } else if (phase == Phase.BLOCKS) {
      lastProgressNanos = System.nanoTime();
      wantMore();
    }
  }

  /** Asks for the generations that an ordered output takes now, and for their leaves. */
  private void wantMore() {
    ObjectReceiver to = receiver;
    if (to == null || !(destination instanceof OrderedOutput)) {
      return;
    }
    int end = Math.min(to.manifest().generations(), destination.limit());
    for (; wantedEnd < end; wantedEnd++) {
      to.want(wantedEnd);
      if (!decryption().content().isEncrypted()) {
        requestLeaves(wantedEnd);
      }
    }
  }

  private void requestLeaves(int generation) {
    for (ServerLink link : links) {
      if (link.state == State.OPEN && link.opened.isPresent()) {
        int alias = link.opened.get().alias();
        ClientSession session = link.session.orElseThrow();
        session
            .connection()
            .execute(() -> session.send(new Message.LeavesRequest(alias, generation)));
        return;
      }
    }
  }

  private void leavesArrived(Message.Leaves part) throws MalformedDataException {
    ObjectReceiver to = receiver;
    if (to == null || part.generation() >= wantedEnd || to.isVerified(part.generation())) {
      return;
    }
    List<Sha256> known = leaves.computeIfAbsent(part.generation(), _ -> new ArrayList<>());
    int n = to.manifest().shapeOf(part.generation()).blocks();
    if (part.first() != known.size() || known.size() + part.leaves().size() > n) {
      leaves.remove(part.generation());
      throw new MalformedDataException(
          0,
          "leaves %d … of generation %d out of order".formatted(part.first(), part.generation()));
    }
    known.addAll(part.leaves());
    offerLeaves(part.generation(), known);
  }

  /** Gives leaves to the receiver whose generations were not open when they arrived. */
  private void offerLeaves() {
    Map.copyOf(leaves).forEach(this::offerLeaves);
  }

  private void offerLeaves(int generation, List<Sha256> known) {
    ObjectReceiver to = Objects.requireNonNull(receiver);
    try {
      if (known.size() == to.manifest().shapeOf(generation).blocks()
          && to.setLeaves(generation, known)) {
        leaves.remove(generation);
      }
    } catch (MalformedDataException e) {
      // The generation as a whole is still verified.
      LOGGER.log(Level.WARNING, "{0}", e.getMessage());
      leaves.remove(generation);
    }
  }

  private void checkComplete() {
    if (phase == Phase.BLOCKS && Objects.requireNonNull(receiver).isComplete()) {
      phase = Phase.ENDED;
      notifyAll();
    }
  }

  /** Hears of the events of the receiver, under the lock of the transfer. */
  private final class Events implements ReceiverListener {
    @Override
    public void sourceVerified(int generation, int position, MemorySegment block) {
      if (destination instanceof OrderedOutput output) {
        output.sourceVerified(generation, position, block);
      }
    }

    @Override
    public void polluted(int generation) {
      for (ServerLink link : links) {
        if (link.state == State.OPEN && link.role == PeerRole.IMMEDIATE_RELAY) {
          int alias = link.opened.orElseThrow().alias();
          ClientSession session = link.session.orElseThrow();
          session.connection().execute(() -> session.send(new Message.Polluted(alias, generation)));
        }
      }
    }

    @Override
    public void convicted(Conviction conviction) {
      links.stream()
          .filter(link -> link.senders.contains(conviction.sender()))
          .findAny()
          .ifPresent(link -> ban(link, conviction));
    }
  }

  /** Bans an identity, under all its addresses. */
  private void ban(ServerLink guilty, Conviction conviction) {
    String reason = conviction.reason(Objects.requireNonNull(id));
    PeerConvictedEvent.record(
        guilty.name, reason, conviction.isProof() && guilty.fingerprint.isPresent());
    if (conviction.isProof() && guilty.fingerprint.isPresent()) {
      try {
        trust.ban(guilty.fingerprint.get(), reason);
      } catch (IOException e) {
        LOGGER.log(Level.WARNING, "cannot remember that {0} is banned: {1}", guilty.name, e);
      }
    }
    for (ServerLink link : links) {
      if (link == guilty || isSameIdentity(link, guilty)) {
        link.isBanned = true;
        link.problem = reason;
        // The receiver is at work now.
        Cancellable _ = carrier.schedule(() -> leaveBanned(link, reason), 0);
      }
    }
  }

  private static boolean isSameIdentity(ServerLink one, ServerLink other) {
    return one.fingerprint.isPresent() && one.fingerprint.equals(other.fingerprint);
  }

  private synchronized void leaveBanned(ServerLink link, String reason) {
    if (phase != Phase.ENDED) {
      leave(link, CloseCode.CONVICTED, reason);
    }
  }

  // Rates

  /** Divides the maximum rate among the servers that are open. */
  private void sharePacing() {
    List<ServerLink> open = links.stream().filter(link -> link.state == State.OPEN).toList();
    for (ServerLink link : open) {
      long rate =
          settings.maxBytesPerSecond() == Long.MAX_VALUE
              ? Long.MAX_VALUE
              : Math.max(1, settings.maxBytesPerSecond() / open.size());
      Message.Pacing pacing = new Message.Pacing(rate, settings.isCubic());
      ClientSession session = link.session.orElseThrow();
      session.connection().execute(() -> session.send(pacing));
    }
  }

  private synchronized FetchResult result() {
    ObjectReceiver from = Objects.requireNonNull(receiver);
    return new FetchResult(
        name,
        Objects.requireNonNull(id),
        from.manifest(),
        decryption().content().length(),
        publisher,
        resumedBytes,
        System.nanoTime() - startNanos,
        blocksNeeded,
        from.packetsReceived(),
        links.stream()
            .map(link ->
                new FetchResult.Source(
                    link.name,
                    link.fingerprint,
                    link.blocks,
                    link.redundant,
                    link.problem.isEmpty() && !link.wasAccepted ? "no answer" : link.problem,
                    link.isBanned))
            .toList());
  }

  /** Closes the connections. Tasks must have ended, or the engine must stay open until they do. */
  @Override
  public void close() {
    List<ClientSession> sessions = new ArrayList<>();
    synchronized (this) {
      phase = Phase.ENDED;
      for (ServerLink link : links) {
        if (link.state == State.OPEN || link.state == State.OPENING) {
          link.session.ifPresent(sessions::add);
        }
        link.session = Optional.empty();
        link.state = State.LEFT;
      }
    }
    sessions.forEach(session -> session.connection().close(CloseReason.DONE, ""));
    boolean isInterrupted = Thread.interrupted();
    synchronized (this) {
      while (pendingTasks > 0) {
        try {
          wait();
        } catch (InterruptedException _) {
          isInterrupted = true;
        }
      }
      if (receiver != null) {
        receiver.close();
        receiver = null;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
