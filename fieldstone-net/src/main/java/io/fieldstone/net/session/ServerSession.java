package io.fieldstone.net.session;

import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.carrier.PathStats;
import io.fieldstone.net.catalogue.CatalogueEntry;
import io.fieldstone.net.trust.KnownServers;
import io.fieldstone.rlnc.object.ObjectSender;
import io.fieldstone.rlnc.object.Packet;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.file.FileProblem;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The sender's end of a connection: checks the token, answers questions about the {@link Shelf},
 * and sends the packets that reports ask for, as fast as its pacer allows.
 *
 * <p>Everything happens on the loop of the connection.
 */
public final class ServerSession implements ConnectionHandler {

  /** The maximum number of objects that a client has open at once. */
  public static final int MAX_OBJECTS = 16;

  private static final Logger LOGGER = System.getLogger(ServerSession.class.getName());

  /** The time for which the carrier may hold packets: a longer queue would add delay. */
  private static final long MAX_BACKLOG_NANOS = 1_000_000;

  /** The minimum number of packets that the carrier may hold, for batches. */
  private static final int MIN_BACKLOG = 16;

  /** The packets handed over in one turn of the loop, so that others have theirs. */
  private static final int MAX_BURST = 64;

  /** The time after which a queue of the carrier is looked at again. */
  private static final long RETRY_NANOS = 500_000;

  /** The answers of one turn of the loop, so that others have theirs. */
  private static final int MAX_ANSWERS = 16;

  /** The time after which a client that reads no answer is closed. */
  private static final long MAX_UNREAD_NANOS = 30_000_000_000L;

  private static final String UNREAD = "control messages are not read";

  /** The time that a client has for its greeting. */
  private static final long GREETING_NANOS = 10_000_000_000L;

  /** The time between looks at a path that is too narrow, and the time after which it is so. */
  private static final long DISCOVERY_NANOS = 2_000_000;

  private static final long MAX_DISCOVERY_NANOS = 8_000_000_000L;

  private final Shelf shelf;
  private final SenderPacing pacing;
  private final long maxBytesPerSecond;
  private final SessionCounters counters;
  private final ClientWarnings warnings;
  private final AnswerBudget.Share share;
  private final Runnable onClosed;
  private final Map<Integer, OutgoingObject> objects = new TreeMap<>();
  private final Deque<OutgoingObject> turns = new ArrayDeque<>();
  private @Nullable Connection connection;
  private @Nullable MessageQueue messages;
  private @Nullable Cancellable wakeUp;
  private @Nullable Cancellable greeting;
  private MemorySegment packet = MemorySegment.NULL;

  /** The bytes of a packet that the carrier did not accept; 0 if there is none. */
  private int unsentBytes;

  /** The object of that packet. */
  private @Nullable OutgoingObject unsent;

  private boolean isAccepted;
  private long openedNanos;
  private long sentBytes;
  private boolean wantsCatalogue;

  /** The entries that are being sent, and the number of those that were. */
  private List<CatalogueEntry> listed = List.of();

  private int listedEnd;
  private boolean isListing;

  /** True if the catalogue is to be sent from its first page. */
  private boolean isListWanted;

  private boolean isClosed;

  /** True once this side closes the connection, which ends later. */
  private boolean isEnding;

  private int nextAlias;

  /** The objects that the shelf has not opened yet. */
  private int opening;

  private final RequestQueue<Message.LeavesRequest> leafRequests;
  private boolean isReadingLeaves;

  /** The other requests that wait until answers are read. */
  private final RequestQueue<Message> requests;

  private int answersInTurn;
  private boolean isTurnAwaited;

  /** Looks whether a client reads that answers wait for. */
  private @Nullable Cancellable unreadWatch;

  /**
   * Creates a session, which is the handler of a new connection.
   *
   * @param shelf what is offered
   * @param pacing decides when packets are sent
   * @param maxBytesPerSecond the maximum rate of the server for a connection
   * @param counters counts for all sessions of the server
   * @param warnings logs for all sessions of the server
   * @param budget the memory of all sessions of the server for what waits
   * @param onClosed called at the end
   */
  public ServerSession(
      Shelf shelf,
      SenderPacing pacing,
      long maxBytesPerSecond,
      SessionCounters counters,
      ClientWarnings warnings,
      AnswerBudget budget,
      Runnable onClosed) {
    this.shelf = shelf;
    this.maxBytesPerSecond = maxBytesPerSecond;
    this.pacing = pacing;
    this.counters = counters;
    this.warnings = warnings;
    this.share = budget.open(this::budgetTaken);
    this.leafRequests = new RequestQueue<>(share);
    this.requests = new RequestQueue<>(share);
    this.onClosed = onClosed;
  }

  /** Closes the connection, because this session holds most of a budget that is used up. */
  private void budgetTaken() {
    connection().execute(() -> refuse(CloseCode.STALLED, UNREAD));
  }

  private Connection connection() {
    return Objects.requireNonNull(connection, "not open");
  }

  @Override
  public void opened(Connection opened) {
    connection = opened;
    messages = new MessageQueue(opened, share);
    pacing.opened(String.valueOf(opened.remoteAddress()), opened.stats().rttNanos());
    greeting =
        opened.schedule(
            () -> {
              if (!isAccepted) {
                refuse(CloseCode.MALFORMED, "no greeting within 10 s");
              }
            },
            GREETING_NANOS);
  }

  private void send(Message message) {
    if (isOver()) {
      return;
    }
    if (!messages().send(message)) {
      refuse(CloseCode.STALLED, UNREAD);
    } else if (!messages().isEmpty()) {
      watchUnread();
    }
  }

  private MessageQueue messages() {
    return Objects.requireNonNull(messages, "not open");
  }

  private boolean isOver() {
    return isClosed || isEnding;
  }

  /** Looks later whether the client has read anything since now. */
  private void watchUnread() {
    if (unreadWatch == null) {
      long accepted = messages().accepted();
      unreadWatch = connection().schedule(() -> lookAtUnread(accepted), MAX_UNREAD_NANOS);
    }
  }

  private void lookAtUnread(long acceptedBefore) {
    unreadWatch = null;
    if (isOver() || messages().isEmpty()) {
      return;
    }
    if (messages().accepted() == acceptedBefore) {
      refuse(CloseCode.STALLED, UNREAD);
    } else {
      watchUnread();
    }
  }

  private void refuse(long code, String text) {
    if (isOver()) {
      return;
    }
    isEnding = true;
    forgetRequests();
    counters.refused.increment();
    warnings.warn(connection().remoteAddress(), "refused " + code, "refused: " + text);
    connection().close(code, text);
  }

  private void forgetRequests() {
    requests.clear();
    leafRequests.clear();
    if (messages != null) {
      messages.clear();
    }
    isListing = false;
    isListWanted = false;
    listed = List.of();
    share.close();
  }

  private String name() {
    return KnownServers.name(connection().remoteAddress());
  }

  @Override
  public void control(MemorySegment bytes) {
    if (isOver()) {
      return;
    }
    try {
      receive(MessageCodec.parse(bytes));
    } catch (MalformedMessageException e) {
      refuse(CloseCode.MALFORMED, String.valueOf(e.getMessage()));
    }
  }

  private void receive(Message message) throws MalformedMessageException {
    if (!isAccepted) {
      greet(message);
      return;
    }
    switch (message) {
      case Message.ListRequest _ -> {
        wantsCatalogue = true;
        if (!isListing) { // else it comes again if it changes
          isListWanted = true;
          answer();
        }
      }
      case Message.Find _, Message.Open _, Message.HashesRequest _ -> {
        if (requests.isFull()) {
          refuseRequests();
          return;
        }
        requests.add(message);
        answer();
      }
      case Message.LeavesRequest request -> addLeavesRequest(request);
      case Message.Pacing wanted ->
          pacing.limit(wanted.bytesPerSecond(), wanted.isCubic(), maxBytesPerSecond);
      case Message.Polluted polluted -> polluted(polluted);
      case Message.Close close -> close(close.alias());
      default ->
          throw new MalformedMessageException(
              "a receiver sent a " + message.getClass().getSimpleName() + " message");
    }
  }

  private void refuseRequests() {
    refuse(CloseCode.LIMIT, "more than " + RequestQueue.MAX_REQUESTS + " requests wait");
  }

  /**
   * Answers requests and sends pages of the catalogue, as far as the client reads; {@link
   * #writable} continues. What exceeds a turn of the loop follows in the next one.
   */
  private void answer() {
    while (!isOver() && hasAnswer() && messages().isEmpty()) {
      if (answersInTurn == MAX_ANSWERS) {
        awaitTurn();
        return;
      }
      answersInTurn++;
      answerNext();
    }
  }

  private boolean hasAnswer() {
    return isListWanted || isListing || !requests.isEmpty();
  }

  private void awaitTurn() {
    if (!isTurnAwaited) {
      isTurnAwaited = true;
      connection()
          .execute(() -> {
            isTurnAwaited = false;
            answersInTurn = 0;
            answer();
          });
    }
  }

  /** Answers the first request; every second time it sends a page, if there is one. */
  private void answerNext() {
    if ((isListWanted || isListing) && (requests.isEmpty() || answersInTurn % 2 == 0)) {
      sendPage();
      return;
    }
    try {
      switch (requests.remove()) {
        case Message.Find find -> find(find.query());
        case Message.Open open -> open(open.id(), false);
        case Message.HashesRequest request -> sendHashes(request);
        default -> throw new AssertionError("not a request that waits");
      }
    } catch (MalformedMessageException e) {
      refuse(CloseCode.MALFORMED, String.valueOf(e.getMessage()));
    }
  }

  private void greet(Message message) throws MalformedMessageException {
    if (!(message instanceof Message.Hello hello)) {
      throw new MalformedMessageException("a message before the greeting");
    }
    if (hello.version() != Message.VERSION) {
      refuse(
          CloseCode.VERSION,
          "protocol version %d, not %d".formatted(hello.version(), Message.VERSION));
    } else if (!shelf.accepts(hello.token())) {
      refuse(
          CloseCode.TOKEN,
          hello.token().isEmpty()
              ? "the server needs a token (--token-file)"
              : "the token is not that of the server");
    } else {
      isAccepted = true;
      counters.sessions.increment();
      openedNanos = System.nanoTime();
      LOGGER.log(Level.INFO, "{0}: connected", name());
      send(new Message.Hello(Message.VERSION, shelf.role(), ""));
    }
  }

  /** Tells the client that the catalogue has changed, and ends objects that have. */
  public void catalogueChanged() {
    if (isOver()) {
      return;
    }
    for (OutgoingObject each : List.copyOf(objects.values())) {
      requireAvailable(each);
    }
    if (wantsCatalogue) {
      isListWanted = true;
      answer();
    }
  }

  private boolean requireAvailable(OutgoingObject each) {
    try {
      each.object.requireAvailable();
      return true;
    } catch (RefusedException e) {
      LOGGER.log(Level.INFO, "{0}: {1}", name(), e.getMessage());
      close(each.alias);
      send(new Message.Ended(each.alias, e.code(), text(String.valueOf(e.getMessage()))));
      return false;
    }
  }

  /** Sends the next page of the catalogue. */
  private void sendPage() {
    if (isListWanted) {
      isListWanted = false;
      listed = shelf.entries();
      listedEnd = 0;
    }
    int first = listedEnd;
    List<CatalogueEntry> all = listed;
    listedEnd = endOfPage(all, first);
    isListing = listedEnd < all.size();
    if (!isListing) {
      listed = List.of();
    }
    send(new Message.CataloguePage(first == 0, !isListing, all.subList(first, listedEnd)));
  }

  /** Returns the end of the entries from {@code from} on that fit in one message. */
  private static int endOfPage(List<CatalogueEntry> entries, int from) {
    int bytes = 4;
    int to = from;
    while (to < entries.size()
        && bytes + MessageCodec.bytesOf(entries.get(to)) <= Connection.MAX_CONTROL_BYTES) {
      bytes += MessageCodec.bytesOf(entries.get(to));
      to++;
    }
    return to;
  }

  private static Message found(List<CatalogueEntry> entries) {
    return new Message.Found(entries.subList(0, endOfPage(entries, 0)));
  }

  /** Answers, and opens the object if there is only one, so that the receiver need not ask. */
  private void find(String query) {
    List<CatalogueEntry> entries = shelf.find(query);
    send(found(entries));
    if (entries.stream().map(CatalogueEntry::id).distinct().count() == 1) {
      open(entries.getFirst().id(), true);
    }
  }

  private void open(Sha256 id, boolean sendsHashes) {
    if (objects.size() + opening >= MAX_OBJECTS) {
      send(
          new Message.Refused(
              id, Message.RefusalCode.LIMIT, "more than " + MAX_OBJECTS + " objects are open"));
      return;
    }
    LOGGER.log(Level.DEBUG, "{0}: wants object {1}", name(), id);
    opening++;
    CompletableFuture<?> _ =
        shelf
            .open(id, connection().remoteAddress())
            .whenComplete((opened, failure) -> {
              opening--;
              if (opened == null) {
                refuse(id, Objects.requireNonNull(failure));
              } else if (isClosed) {
                opened.close();
              } else {
                opened(opened, sendsHashes);
              }
            });
  }

  private void refuse(Sha256 id, Throwable failure) {
    if (failure instanceof RefusedException refused) {
      send(new Message.Refused(id, refused.code(), text(String.valueOf(refused.getMessage()))));
    } else {
      warnings.warn(
          connection().remoteAddress(), "open", "cannot open %s: %s".formatted(id, failure));
      String reason =
          failure instanceof IOException e ? FileProblem.text(e) : "it cannot be opened";
      send(new Message.Refused(id, Message.RefusalCode.FAILED, text(reason)));
    }
  }

  private void opened(OpenObject opened, boolean sendsHashes) {
    OutgoingObject outgoing = new OutgoingObject(freeAlias(), opened);
    objects.put(outgoing.alias, outgoing);
    // A task of its own: a failure ends this connection, and not the loads of others.
    outgoing.sender.onLoaded(() -> connection().execute(() -> resume(outgoing)));
    counters.objects.increment();
    if (packet.byteSize() < outgoing.sender.maxPacketBytes()) {
      MemorySegment larger = Arena.ofAuto().allocate(outgoing.sender.maxPacketBytes());
      MemorySegment.copy(packet, 0, larger, 0, unsentBytes); // of another object
      packet = larger;
    }
    send(new Message.Opened(outgoing.alias, opened.manifest(), outgoing.sender.seed()));
    List<Sha256> hashes = opened.hashes();
    if (sendsHashes && !hashes.isEmpty()) {
      int count = Math.min(Message.FIRST_HASHES, hashes.size());
      send(new Message.Hashes(outgoing.alias, 0, hashes.subList(0, count)));
    }
  }

  /** Shortens a text for a message. */
  private static String text(String text) {
    return text.length() <= Message.MAX_TEXT_BYTES / 4
        ? text
        : text.substring(0, Message.MAX_TEXT_BYTES / 4);
  }

  /** Returns an alias that was not used lately, so that late packets are not mistaken. */
  private int freeAlias() {
    while (objects.containsKey(nextAlias)) {
      nextAlias = (nextAlias + 1) % Packet.MAX_ALIASES;
    }
    int alias = nextAlias;
    nextAlias = (nextAlias + 1) % Packet.MAX_ALIASES;
    return alias;
  }

  private void sendHashes(Message.HashesRequest request) throws MalformedMessageException {
    OutgoingObject outgoing = objects.get(request.alias());
    if (outgoing == null) {
      return; // it has ended
    }
    List<Sha256> hashes = outgoing.object.hashes();
    if (request.count() > Message.MAX_HASHES
        || request.first() + (long) request.count() > hashes.size()) {
      throw new MalformedMessageException(
          "hashes %d … of %d; at most %d at once"
              .formatted(request.first(), hashes.size(), Message.MAX_HASHES));
    }
    send(
        new Message.Hashes(
            request.alias(),
            request.first(),
            hashes.subList(request.first(), request.first() + request.count())));
  }

  private void addLeavesRequest(Message.LeavesRequest request) throws MalformedMessageException {
    OutgoingObject outgoing = objects.get(request.alias());
    if (outgoing == null) {
      return; // it has ended
    }
    requireGeneration(outgoing, request.generation());
    if (leafRequests.isFull()) {
      refuseRequests();
      return;
    }
    leafRequests.add(request);
    readLeaves();
  }

  /** Reads the hashes that the first request wants, unless others are being read or wait. */
  private void readLeaves() {
    while (!isReadingLeaves && !isOver() && !leafRequests.isEmpty() && messages().isEmpty()) {
      Message.LeavesRequest request = leafRequests.remove();
      OutgoingObject outgoing = objects.get(request.alias());
      if (outgoing != null) {
        isReadingLeaves = true;
        CompletableFuture<List<Sha256>> read = outgoing.object.leaves(request.generation());
        boolean isKnown = read.isDone();
        CompletableFuture<?> _ =
            read.whenComplete((leaves, failure) -> {
              isReadingLeaves = false;
              if (!isClosed && objects.get(request.alias()) == outgoing) {
                leavesRead(outgoing, request.generation(), leaves, failure);
              }
              if (!isKnown) {
                readLeaves();
              }
            });
      }
    }
  }

  private void leavesRead(
      OutgoingObject outgoing,
      int generation,
      @Nullable List<Sha256> leaves,
      @Nullable Throwable failure) {
    if (leaves == null) {
      end(outgoing, failure instanceof IOException e ? e : new IOException(failure));
      return;
    }
    for (int first = 0; first < leaves.size(); first += Message.MAX_HASHES) {
      int end = Math.min(leaves.size(), first + Message.MAX_HASHES);
      send(new Message.Leaves(outgoing.alias, generation, first, leaves.subList(first, end)));
    }
  }

  private void polluted(Message.Polluted polluted) throws MalformedMessageException {
    OutgoingObject outgoing = objects.get(polluted.alias());
    if (outgoing != null) {
      requireGeneration(outgoing, polluted.generation());
      outgoing.object.polluted(polluted.generation());
    }
  }

  private static void requireGeneration(OutgoingObject outgoing, int generation)
      throws MalformedMessageException {
    int generations = outgoing.object.manifest().generations();
    if (generation >= generations) {
      throw new MalformedMessageException("generation %d of %d".formatted(generation, generations));
    }
  }

  /** Ends the objects that can be sent no more. */
  public void objectsEnded() {
    if (!isClosed) {
      List.copyOf(objects.values()).forEach(this::requireAvailable);
    }
  }

  private void end(OutgoingObject outgoing, IOException e) {
    if (outgoing.object.recovers(e)) {
      return; // reports ask for its blocks again; without leaves it is verified as a whole
    }
    if (requireAvailable(outgoing)) {
      end(outgoing, Message.RefusalCode.FAILED, FileProblem.text(e));
    }
  }

  private void end(OutgoingObject outgoing, Message.RefusalCode code, String reason) {
    warnings.warn(
        connection().remoteAddress(),
        "send",
        "cannot send %s: %s".formatted(outgoing.object.manifest().id(), reason));
    close(outgoing.alias);
    send(new Message.Ended(outgoing.alias, code, text(reason)));
  }

  private void close(int alias) {
    OutgoingObject outgoing = objects.remove(alias);
    if (outgoing != null) {
      turns.remove(outgoing);
      pacing.closed(outgoing);
      outgoing.close();
    }
  }

  @Override
  public void datagram(MemorySegment bytes) {
    if (!isAccepted) {
      return;
    }
    try {
      OutgoingObject outgoing = objects.get(Packet.alias(bytes));
      if (outgoing == null) {
        return; // late, for an object that is closed
      }
      if (!Packet.isReport(bytes)) {
        throw new MalformedDataException(0, "a data packet from a receiver");
      }
      ObjectSender sender = outgoing.sender;
      long lostBefore = sender.arrivedEnd() - sender.packetsArrived();
      if (sender.onReport(bytes)) {
        counters.reports.increment();
        counters.packetsLost.add(sender.arrivedEnd() - sender.packetsArrived() - lostBefore);
        long now = System.nanoTime();
        pacing.reported(objects.values(), outgoing, now);
        outgoing.object.reported();
        addTurn(outgoing);
        pump();
      }
    } catch (MalformedDataException e) {
      refuse(CloseCode.MALFORMED, String.valueOf(e.getMessage()));
    }
  }

  /** Sends an object again, of which a generation was read. */
  private void resume(OutgoingObject outgoing) {
    if (objects.get(outgoing.alias) == outgoing) {
      addTurn(outgoing);
      pump();
    }
  }

  private void addTurn(OutgoingObject outgoing) {
    if (outgoing.heldBytes() == 0 && outgoing.sender.hasNext() && !turns.contains(outgoing)) {
      turns.addLast(outgoing);
    }
  }

  @Override
  public void writable() {
    messages().resume();
    answer();
    readLeaves();
    pump();
  }

  /** Sends what is wanted and allowed now, and schedules the rest. */
  private void pump() {
    if (isClosed) {
      return;
    }
    if (wakeUp != null) {
      wakeUp.cancel();
      wakeUp = null;
    }
    long now = System.nanoTime();
    long waitNanos = -1;
    int sent = 0;
    // Nothing leaves the carrier before the flush, so that one look is enough.
    long backlog = connection().backlogDatagrams();
    while (unsentBytes > 0 || !turns.isEmpty()) {
      long delayNanos = pacing.delayNanos(now);
      if (delayNanos > 0) {
        waitNanos = delayNanos;
        break;
      }
      if (sent == MAX_BURST) {
        waitNanos = 0;
        break;
      }
      if (backlog > maxBacklog()) {
        pacing.blocked();
        waitNanos = RETRY_NANOS;
        break;
      }
      if (unsentBytes == 0 && !writeNext()) {
        continue;
      }
      if (!fitsPath(unsentBytes)) {
        setAside(now);
        continue;
      }
      if (!connection().sendDatagram(packet.asSlice(0, unsentBytes))) {
        break; // writable() follows
      }
      pacing.sent(unsentBytes, now);
      Objects.requireNonNull(unsent).sent(unsentBytes, now);
      counters.packetsSent.increment();
      counters.bytesSent.add(unsentBytes);
      sentBytes += unsentBytes;
      unsentBytes = 0;
      sent++;
      backlog++;
    }
    if (sent > 0) {
      connection().flush();
    }
    if (waitNanos >= 0) {
      wakeUp = connection().schedule(this::pump, waitNanos);
    }
  }

  private boolean fitsPath(int bytes) {
    if (bytes <= connection().maxDatagramBytes()) {
      return true;
    }
    PathStats _ = connection().stats(); // the path may have become wider since it was looked at
    return bytes <= connection().maxDatagramBytes();
  }

  /** Lets the object of a packet wait that does not fit the path, so that others go on. */
  private void setAside(long now) {
    OutgoingObject outgoing = Objects.requireNonNull(unsent);
    outgoing.hold(packet.asSlice(0, unsentBytes));
    unsentBytes = 0;
    turns.remove(outgoing);
    awaitWiderPath(outgoing, now);
  }

  /** A path carries small packets until the discovery of its MTU has found out more. */
  private void awaitWiderPath(OutgoingObject outgoing, long sinceNanos) {
    Cancellable _ = connection().schedule(() -> tryAgain(outgoing, sinceNanos), DISCOVERY_NANOS);
  }

  private void tryAgain(OutgoingObject outgoing, long sinceNanos) {
    if (objects.get(outgoing.alias) != outgoing) {
      return; // it has ended
    }
    if (fitsPath(outgoing.heldBytes())) {
      turns.addLast(outgoing);
      pump();
    } else if (System.nanoTime() - sinceNanos > MAX_DISCOVERY_NANOS) {
      end(
          outgoing,
          Message.RefusalCode.NARROW_PATH,
          ("packets of %d bytes do not fit the path, which carries %d; serve with --block-size %d"
                  + " or less")
              .formatted(outgoing.heldBytes(), connection().maxDatagramBytes(), fitting(outgoing)));
    } else {
      awaitWiderPath(outgoing, sinceNanos);
    }
  }

  /** Returns the largest block size whose packets fit the path. */
  private long fitting(OutgoingObject outgoing) {
    int headerBytes =
        outgoing.sender.maxPacketBytes() - outgoing.object.manifest().shape().blockSize();
    return Math.max(1, connection().maxDatagramBytes() - headerBytes);
  }

  private long maxBacklog() {
    double bytes = pacing.rateBytesPerSecond() * MAX_BACKLOG_NANOS / 1e9;
    return Math.max(MIN_BACKLOG, (long) (bytes / Math.max(1, packet.byteSize())));
  }

  /** Writes the next packet of the object whose turn it is; returns false if it has none. */
  private boolean writeNext() {
    OutgoingObject outgoing = turns.removeFirst();
    try {
      int bytes = outgoing.next(packet);
      if (bytes == 0) {
        return false;
      }
      unsent = outgoing;
      unsentBytes = bytes;
    } catch (IOException e) {
      end(outgoing, e);
      return false;
    }
    if (outgoing.sender.hasNext()) {
      turns.addLast(outgoing);
    }
    return true;
  }

  @Override
  public void closed(CloseReason reason) {
    isClosed = true;
    forgetRequests();
    if (isAccepted) {
      LOGGER.log(
          Level.INFO,
          "{0}: disconnected after {1} s and {2} bytes: {3}",
          name(),
          Long.toString((System.nanoTime() - openedNanos) / 1_000_000_000),
          Long.toString(sentBytes),
          reason.text());
    }
    if (wakeUp != null) {
      wakeUp.cancel();
    }
    if (greeting != null) {
      greeting.cancel();
    }
    if (unreadWatch != null) {
      unreadWatch.cancel();
    }
    for (OutgoingObject outgoing : new ArrayList<>(objects.values())) {
      close(outgoing.alias);
    }
    onClosed.run();
  }
}
