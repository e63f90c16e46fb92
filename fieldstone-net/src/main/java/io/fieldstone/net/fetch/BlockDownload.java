package io.fieldstone.net.fetch;

import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.dashboard.Snapshot;
import io.fieldstone.net.events.NetworkEvents;
import io.fieldstone.net.fetch.TransferState.Phase;
import io.fieldstone.net.session.ClientSession;
import io.fieldstone.net.session.Message;
import io.fieldstone.net.session.PeerRole;
import io.fieldstone.net.trust.Fingerprint;
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
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Downloads the blocks of an object: feeds its receiver with packets, reports to the servers that
 * are open, and writes verified generations to the destination. Guarded by the lock of the
 * transfer.
 */
final class BlockDownload implements AutoCloseable {

  private static final long MIN_REPORT_NANOS = 5_000_000;

  /**
   * The packets at the maximum rate for which a report waits, so that a server of many slow
   * receivers does not read more reports than it sends packets. A round of the rate control has as
   * many.
   */
  private static final long PACKETS_PER_REPORT = 8;

  /** The longest time between reports that the rate explains, so that losses are noticed soon. */
  private static final long MAX_RATE_NANOS = 100_000_000;

  /**
   * The least time between reports on one of many objects. Others use the path while it waits for a
   * lost packet.
   */
  private static final long MIN_REPORT_NANOS_OF_MANY = 40_000_000;

  /** The bytes of a generation up to which a switch to another thread costs more than its work. */
  private static final long MAX_INLINE_BYTES = 1 << 16;

  private static final int MAX_REPORT_BYTES = 1500;

  /** The time without any packet, and the round trips, after which a path counts as broken. */
  private static final long MAX_SILENCE_NANOS = 500_000_000;

  private static final int MAX_SILENT_ROUND_TRIPS = 4;

  private final FetchContext context;
  private final TransferState state;
  private final ServerLinks links;
  private final Decryption decryption;
  private final ObjectReceiver receiver;
  private final BooleanSupplier isAgreed;
  private final LeafDownload leaves;
  private final long keptBytes;
  private final long blocksNeeded;
  private long doneBytes;
  private int wantedEnd;
  private int pendingTasks;

  /**
   * Creates a download, which does nothing yet.
   *
   * @param kept the generations that the destination has
   * @param isAgreed whether the object is the right one for certain, so that the download may end
   */
  BlockDownload(
      FetchContext context,
      TransferState state,
      ServerLinks links,
      Decryption decryption,
      GenerationHashes hashes,
      BitSet kept,
      BooleanSupplier isAgreed) {
    this.isAgreed = isAgreed;
    this.context = context;
    this.state = state;
    this.links = links;
    this.decryption = decryption;
    ObjectManifest object = hashes.manifest();
    this.keptBytes = kept.stream().mapToLong(decryption.content()::bytesOf).sum();
    long needed = 0;
    for (int g = kept.nextClearBit(0); g < object.generations(); g = kept.nextClearBit(g + 1)) {
      needed += object.shapeOf(g).blocks();
    }
    this.blocksNeeded = needed;
    this.doneBytes = keptBytes;
    ReceiverOptions options =
        ReceiverOptions.DEFAULT
            .withWindowBytes(context.settings().windowBytes())
            .withVerifier(this::verify);
    ObjectReceiver.Builder builder =
        ObjectReceiver.builder(context.engine(), hashes, this::verified)
            .verified(kept)
            .options(context.destination().isOrdered() ? options.onDemand() : options)
            .listener(new Events());
    context.memory().ifPresent(builder::memory);
    this.receiver = builder.build();
    this.leaves = new LeafDownload(receiver, links);
  }

  /** Begins to receive from all servers that are open. */
  void begin() {
    links.open().forEach(this::start);
    wantMore();
    checkComplete();
  }

  /** Returns the bytes that the destination had before. */
  long keptBytes() {
    return keptBytes;
  }

  /** Returns the blocks that the destination lacked before. */
  long blocksNeeded() {
    return blocksNeeded;
  }

  ObjectReceiver receiver() {
    return receiver;
  }

  /** Returns what the dashboard shows of the object. */
  Snapshot.Item item(String name) {
    int sources = (int) links.all().stream().filter(ServerLink::isReceiving).count();
    return Snapshot.Item.received(name, receiver, sources);
  }

  /** Returns the numbers of {@code /metrics}. */
  FetchStatus status() {
    return new FetchStatus(
        decryption.content().length(),
        doneBytes,
        receiver.packetsReceived(),
        receiver.packetsInnovative(),
        (int) links.all().stream().filter(ServerLink::isReceiving).count());
  }

  /** Returns the packets that were received. */
  long packetsReceived() {
    return receiver.packetsReceived();
  }

  /** Ends the phase of the blocks if all have arrived. */
  void checkComplete() {
    if (state.phase() == Phase.BLOCKS
        && !state.hasFailed()
        && receiver.isComplete()
        && isAgreed.getAsBoolean()) {
      state.enter(Phase.ENDED);
    }
  }

  // Servers

  /** Begins to receive from a server that has opened the object. */
  void start(ServerLink link) {
    Message.Opened opened = link.opened.orElseThrow();
    SenderKind kind =
        switch (link.role) {
          case IMMEDIATE_RELAY -> SenderKind.IMMEDIATE;
          case VERIFIED_RELAY -> SenderKind.RELAY;
          default -> SenderKind.ORIGIN;
        };
    List<Integer> before =
        link.senders.entrySet().stream()
            .filter(each -> each.getValue().equals(link.fingerprint))
            .map(Map.Entry::getKey)
            .toList();
    link.sender = receiver.addSender(opened.seed(), kind, opened.alias(), before);
    link.senders.put(link.sender, link.fingerprint);
    link.blocksBefore = link.blocks;
    link.lastPacketNanos = System.nanoTime();
    link.askedNanos = link.lastPacketNanos;
    link.heardNanos = link.lastPacketNanos;
    leaves.ask();
    ClientSession session = link.session.orElseThrow();
    MemorySegment report = MemorySegment.ofArray(new byte[MAX_REPORT_BYTES]);
    session.connection().execute(() -> report(link, session, report));
  }

  /** Ends to receive from a server that is lost. */
  void stop(ServerLink link) {
    if (link.isReceiving()) {
      receiver.removeSender(link.sender);
      leaves.lost(link);
    }
  }

  /** Disconnects servers that do not send what they were asked for. */
  void checkStalls(long now) {
    links.open().forEach(link -> checkStall(link, now));
  }

  private void checkStall(ServerLink link, long now) {
    if (receiver.outstanding(link.sender) == 0) {
      link.askedNanos = now;
    } else if (now - Math.max(link.lastPacketNanos, link.askedNanos)
        >= context.settings().stallNanos()) {
      links.stalled(link, "nothing arrives");
    }
  }

  /** Sends a report, and schedules the next. On the loop of the connection. */
  private void report(ServerLink link, ClientSession session, MemorySegment memory) {
    synchronized (state) {
      if (!link.isCurrent(session) || state.phase() != Phase.BLOCKS || !link.isReceiving()) {
        return;
      }
      Connection connection = session.connection();
      long room = Math.min(memory.byteSize(), connection.maxDatagramBytes());
      if (room >= ObjectReceiver.MIN_REPORT_BYTES) {
        long delayMicros = (System.nanoTime() - link.lastPacketNanos) / 1000;
        int bytes = receiver.report(link.sender, delayMicros, memory.asSlice(0, room));
        if (bytes > 0) {
          // A report that is not accepted is replaced by the next.
          boolean isAccepted = connection.sendDatagram(memory.asSlice(0, bytes));
          if (isAccepted) {
            connection.flush();
          }
        }
      }
      leaves.offer();
      listen(link, connection);
      Cancellable _ =
          connection.schedule(() -> report(link, session, memory), interval(connection));
    }
  }

  /** Tries another connection if not even a report is acknowledged on this one. */
  private void listen(ServerLink link, Connection connection) {
    long now = System.nanoTime();
    long packets = connection.packetsReceived();
    if (packets != link.heardPackets) {
      link.heardPackets = packets;
      link.heardNanos = now;
    }
    if (isSilent(link, now)
        && now - link.heardNanos > MAX_SILENT_ROUND_TRIPS * connection.stats().rttNanos()) {
      links.renew(link, () -> isSilent(link, System.nanoTime()));
    }
  }

  private static boolean isSilent(ServerLink link, long now) {
    return now - link.heardNanos > MAX_SILENCE_NANOS;
  }

  /** Returns the time between reports: a quarter of a round trip, or of some packets. */
  private long interval(Connection connection) {
    double packets = PACKETS_PER_REPORT * receiver.manifest().shape().blockSize();
    long packetsNanos = (long) (packets * 1e9 / links.shareBytesPerSecond());
    long rttNanos = connection.stats().rttNanos();
    long least = context.isOneOfMany() ? MIN_REPORT_NANOS_OF_MANY : MIN_REPORT_NANOS;
    return Math.max(least, Math.max(rttNanos / 4, Math.min(packetsNanos, MAX_RATE_NANOS)));
  }

  /** Takes a packet. */
  void packet(ServerLink link, MemorySegment packet) throws MalformedDataException {
    if (!link.isReceiving()) {
      return;
    }
    link.lastPacketNanos = System.nanoTime();
    link.receivedBytes += packet.byteSize();
    if (Packet.alias(packet) != link.opened.orElseThrow().alias()) {
      return; // late, of an object that was closed
    }
    try {
      Arrival arrival = receiver.receive(link.sender, packet);
      if (arrival == Arrival.INNOVATIVE) {
        link.blocks++;
        if (link.blocks - link.blocksBefore >= receiver.manifest().shape().blocks()) {
          link.stalls = 0; // it works again
        }
        state.progressed(link.lastPacketNanos);
        checkComplete();
      } else {
        link.redundant++;
      }
    } catch (IOException e) {
      state.fail(e);
    }
  }

  // Generations

  /** Decodes and hashes a generation, on another thread unless it is one of many small ones. */
  private void verify(GenerationTask task) {
    if (context.isOneOfMany() && task.bytes() <= MAX_INLINE_BYTES) {
      NetworkEvents.verify(task, receiver.manifest().id());
      return;
    }
    pendingTasks++;
    context
        .workers()
        .execute(() -> {
          try {
            NetworkEvents.verify(task, receiver.manifest().id());
            finish(task);
          } catch (RuntimeException | Error e) {
            state.failUnchecked(e);
          } finally {
            endTask();
          }
        });
  }

  private void finish(GenerationTask task) {
    synchronized (state) {
      if (state.hasFailed()) {
        return;
      }
      try {
        receiver.finish(task);
        checkComplete();
      } catch (IOException e) {
        state.fail(e);
      }
    }
  }

  private void endTask() {
    synchronized (state) {
      pendingTasks--;
      state.notifyAll();
    }
  }

  /** Waits until no thread decodes any more. */
  void awaitTasks() throws InterruptedException {
    synchronized (state) {
      while (pendingTasks > 0) {
        state.wait();
      }
    }
  }

  private void verified(int generation, MemorySegment bytes) throws IOException {
    MemorySegment fileBytes;
    try {
      fileBytes = decryption.bytes(generation, bytes);
    } catch (FetchFailedException e) {
      state.fail(e);
      throw new IOException(e);
    }
    context.destination().verified(generation, fileBytes);
    leaves.verified(generation);
    doneBytes += fileBytes.byteSize();
    state.progressed(System.nanoTime());
    int sources = (int) links.all().stream().filter(ServerLink::isReceiving).count();
    context.listener().progress(doneBytes, decryption.content().length(), sources);
    wantMore();
  }

  /** Asks for the generations that an ordered output takes now, and for their leaves. */
  void wantMore() {
    if (!context.destination().isOrdered()) {
      return;
    }
    int end = Math.min(receiver.manifest().generations(), context.destination().limit());
    for (; wantedEnd < end; wantedEnd++) {
      receiver.want(wantedEnd);
      if (!decryption.content().isEncrypted()) {
        leaves.request(wantedEnd);
      }
    }
  }

  /** Returns true if all that the output takes now is verified, so that only its reader is slow. */
  boolean isAheadOfOutput() {
    return context.destination().isOrdered() && receiver.verified().nextClearBit(0) >= wantedEnd;
  }

  /** Takes leaves, see {@link LeafDownload#arrived}. */
  void leaves(ServerLink link, Message.Leaves part) throws MalformedDataException {
    leaves.arrived(link, part);
  }

  /** Hears of the events of the receiver, under the lock of the transfer. */
  private final class Events implements ReceiverListener {
    @Override
    public void sourceVerified(int generation, int position, MemorySegment block) {
      context.destination().sourceVerified(generation, position, block);
    }

    @Override
    public void polluted(int generation) {
      for (ServerLink link : links.open()) {
        if (link.role == PeerRole.IMMEDIATE_RELAY) {
          link.send(new Message.Polluted(link.opened.orElseThrow().alias(), generation));
        }
      }
    }

    @Override
    public void convicted(Conviction conviction) {
      links.all().stream()
          .filter(link -> link.senders.containsKey(conviction.sender()))
          .findAny()
          .ifPresent(link -> convict(link, conviction));
    }
  }

  /** Bans a server. The only server may first report that its file has changed. */
  private void convict(ServerLink link, Conviction conviction) {
    Optional<Fingerprint> identity =
        link.senders.getOrDefault(conviction.sender(), Optional.empty());
    String reason = conviction.reason(receiver.manifest().id());
    if (conviction.isProof() && link.sender == conviction.sender() && links.isAlone(link)) {
      links.accuse(link, identity, conviction.generation(), reason);
    } else {
      links.ban(link, identity, reason, conviction.isProof());
    }
  }

  /** Frees the memory once no thread decodes any more, also if the caller is interrupted. */
  @Override
  public void close() {
    boolean isInterrupted = Thread.interrupted();
    while (true) {
      try {
        awaitTasks();
        break;
      } catch (InterruptedException _) {
        isInterrupted = true;
      }
    }
    synchronized (state) {
      receiver.close();
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
