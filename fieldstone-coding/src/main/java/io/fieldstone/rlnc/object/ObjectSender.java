package io.fieldstone.rlnc.object;

import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sends one object to one receiver, exactly what it asks for. The last report decides: for each
 * generation the receiver names a deficit as of a cut, and this sender sends so many packets less
 * those that it sent after the cut. So it needs no clock, and repairs losses without an
 * acknowledgement of single packets.
 *
 * <p>Source blocks are sent first, each once. Then come coded blocks of new indices. Of a
 * generation that an immediate relay is collecting, each source block is passed on as it arrived,
 * and combinations of all blocks held stand in for those that were lost.
 *
 * {@snippet :
 * sender.onReport(datagram);
 * while (sender.hasNext() && pacer.allows()) {
 *   int bytes = sender.next(packet);
 *   send(packet.asSlice(0, bytes));
 * }
 * }
 *
 * <p>A receiver that connects again gets a new sender, with another seed if it kept blocks of open
 * generations. For one thread at a time, together with all that shares its {@link GenerationCache}.
 */
public final class ObjectSender implements AutoCloseable {

  /** The maximum number of packets after the cut; a receiver that reports never reaches it. */
  private static final int MAX_IN_FLIGHT = 1 << 18;

  /** The maximum number of generations whose state is kept once packets of them were sent. */
  private static final int MAX_DEMANDS = 1 << 13;

  /**
   * The reports, a quarter of a round trip apart, after which packets without news are taken for
   * lost. One more packet is then sent, whose arrival moves the cut behind them.
   */
  private static final int PROBE_REPORTS = 6;

  /** The maximum number of generations that are read, or wait, before they are sent. */
  private static final int MAX_AHEAD = 5;

  /** More are read when no more than this are ahead, so that several are read at once. */
  private static final int MIN_AHEAD = 1;

  private final SourceObject object;
  private final int alias;
  private final @Nullable Recoding recoding;
  private final Demands onDemand;
  private final int generations;
  private final Report report = new Report();
  private final VarintWriter writer = new VarintWriter();
  private final Map<Integer, Demand> demands = new LinkedHashMap<>(16, 0.75f, true);

  /** The generations that the last report names. */
  private final List<Demand> wanted = new ArrayList<>();

  /** Those that the report before it names, while a report is read. */
  private final List<Demand> wantedBefore = new ArrayList<>();

  /** The generation of packet s at s modulo the length, for each s in cut … sequence − 1. */
  private @Nullable Demand[] sent = new Demand[1 << 10];

  private @Nullable BitSet available;
  private int current;
  private @Nullable CachedGeneration pinned;

  /** Wanted generations that are being read, or have been read and wait for their turn. */
  private final List<CachedGeneration> ahead = new ArrayList<>();

  private Runnable onLoaded = () -> {};
  private int lastGeneration;
  private long cut;
  private long sequence;
  private long lastReport = -1;

  /** The last report when a packet was sent, or was known to have arrived. */
  private long newsReport;

  private boolean isProbing;

  /** The first index of coded blocks for a receiver that wants parts; 0 before the first. */
  private int partialIndex;

  private long arrived;
  private long arrivedEnd;
  private long lost;
  private long delayMicros;

  /**
   * Creates a sender of a whole object.
   *
   * @param object the object, which the caller closes after this sender
   * @param alias the number of the object on this connection, 0 … {@link Packet#MAX_ALIASES} − 1
   */
  public ObjectSender(SourceObject object, int alias) {
    this(object, alias, null, (_, _) -> {});
  }

  /** Hears what the receiver of a relay wants. */
  @FunctionalInterface
  interface Demands {

    /**
     * A receiver wants a generation that is not available.
     *
     * @param blocks the independent blocks that it wants in all, with those that have arrived
     */
    void wanted(int generation, int blocks);
  }

  /**
   * Creates a sender for a relay.
   *
   * @param recoding the generations that are not available yet, in an immediate relay
   * @param onDemand takes each generation that the receiver wants and that is not available
   */
  ObjectSender(SourceObject object, int alias, @Nullable Recoding recoding, Demands onDemand) {
    this.object = object;
    this.alias = Packet.requireAlias(alias);
    this.recoding = recoding;
    this.onDemand = onDemand;
    this.generations = object.manifest().generations();
  }

  /** Returns the bytes of memory that any packet of this sender fits. */
  public int maxPacketBytes() {
    GenerationShape shape = object.manifest().shape();
    return Packet.maxBytes(recoding == null ? 0 : shape.blocks(), shape.blockSize());
  }

  /** Returns the seed of the coded blocks, which the receiver must know. */
  public long seed() {
    return object.seed();
  }

  /** Limits this sender to some generations; copied. Without a call it has all. */
  public void setAvailable(BitSet generations) {
    available = (BitSet) generations.clone();
    current = 0;
  }

  /** Adds a generation to those that this sender has. */
  public void addAvailable(int generation) {
    if (available != null) {
      available.set(generation);
      current = 0;
    }
  }

  /** Removes a generation from those that a relay has. */
  void removeAvailable(int generation) {
    unpin();
    release(each -> each.generation() == generation);
    if (available != null) {
      available.clear(generation);
    }
  }

  /**
   * Takes a report.
   *
   * @param datagram one report, which is not kept
   * @return false if it is older than one that was taken, and was ignored
   * @throws MalformedDataException if it is damaged, or contradicts what was sent; the state is
   *     then still valid, and the connection should be closed
   */
  public boolean onReport(MemorySegment datagram) throws MalformedDataException {
    report.start(datagram);
    if (report.number <= lastReport) {
      return false;
    }
    if (report.end > sequence
        || report.cut < cut
        || report.arrived > report.end
        || report.lost > report.end - report.arrived) {
      throw new MalformedDataException(
          report.position(),
          "a report of packets %d…%d of %d sent, after cut %d"
              .formatted(report.cut, report.end, sequence, cut));
    }
    if (report.end > arrivedEnd) {
      newsReport = report.number;
    }
    lastReport = report.number;
    isProbing = sequence > report.end && report.number - newsReport >= PROBE_REPORTS;
    arrived = report.arrived;
    lost = report.lost;
    arrivedEnd = report.end;
    delayMicros = report.delayMicros;
    moveCut(report.cut);
    wanted.forEach(Demand::wantNothing);
    wantedBefore.addAll(wanted);
    wanted.clear();
    current = 0;
    while (report.next(generations)) {
      addWanted();
    }
    forgetUnsent();
    release(each -> !isWanted(each));
    return true;
  }

  /** Takes the remaining bytes of a buffer as a report; its position is its limit then. */
  public boolean onReport(ByteBuffer datagram) throws MalformedDataException {
    boolean isNew = onReport(MemorySegment.ofBuffer(datagram));
    datagram.position(datagram.limit());
    return isNew;
  }

  /** Takes the bytes of an array as a report. */
  public boolean onReport(byte[] datagram) throws MalformedDataException {
    return onReport(MemorySegment.ofArray(datagram));
  }

  private void moveCut(long newCut) {
    for (; cut < newCut; cut++) {
      int at = (int) cut & (sent.length - 1);
      Demand demand = sent[at];
      if (demand != null) {
        demand.sentAfterCut--;
        sent[at] = null;
      }
    }
  }

  private void addWanted() throws MalformedDataException {
    GenerationShape shape = object.manifest().shapeOf(report.generation);
    int n = shape.blocks();
    if (report.sourceFirst + report.sourceCount > n) {
      throw new MalformedDataException(
          report.position(),
          "source blocks %d…%d of %d"
              .formatted(report.sourceFirst, report.sourceFirst + report.sourceCount - 1, n));
    }
    Demand demand = demands.get(report.generation);
    if (demand == null) {
      demand = new Demand(report.generation, n, firstIndex(shape));
      demands.put(report.generation, demand);
      forgetEldest();
    }
    // A deficit counts packets that arrived after the cut, so it may exceed n.
    demand.want(
        report.attempt, Math.min(report.deficit, 4 * n), report.sourceFirst, report.sourceCount);
    wanted.add(demand);
    if (!isAvailable(report.generation)) {
      onDemand.wanted(report.generation, blocksOf(demand));
    }
  }

  /** Returns the blocks of a generation that the receiver wants from this sender in all. */
  private int blocksOf(Demand demand) {
    int n = object.manifest().shapeOf(demand.generation).blocks();
    return Math.min(n, demand.arrivedAtCut(arrivedShare()) + demand.deficit);
  }

  /** Returns the index of the first coded block for a generation that was not wanted before. */
  private int firstIndex(GenerationShape shape) {
    int first = SourceObject.firstCoded(shape);
    boolean isPartial = report.sourceCount == 0 && report.deficit < shape.blocks();
    if (isPartial && partialIndex == 0) {
      partialIndex = object.nextPartialIndex();
    }
    return isPartial ? Math.max(first, partialIndex) : first;
  }

  private double arrivedShare() {
    return arrivedEnd == 0 ? 1 : Math.min(1, (double) arrived / arrivedEnd);
  }

  /**
   * Returns the last generation that the receiver asks for; −1 if there are not several. A receiver
   * that asks for one tests this sender, and may want less of the next ones.
   */
  int lastWanted() {
    return wanted.size() > 1 ? wanted.getLast().generation : -1;
  }

  /** Returns the independent blocks that the receiver wants of {@link #lastWanted} in all. */
  int lastBlocks() {
    return blocksOf(wanted.getLast());
  }

  /** Returns true if the receiver wants blocks of a generation. */
  boolean isWanted(int generation) {
    Demand demand = demands.get(generation);
    return demand != null && demand.deficit > 0;
  }

  /** Returns true if the last report requests blocks of any generation. */
  public boolean hasDemand() {
    return wanted.stream().anyMatch(demand -> demand.deficit > 0);
  }

  private void forgetEldest() {
    var eldest = demands.values().iterator();
    while (demands.size() > MAX_DEMANDS && eldest.hasNext()) {
      if (eldest.next().sentAfterCut == 0) {
        eldest.remove();
      }
    }
  }

  /** Forgets what is not wanted any more and never began, so that reports alone fill no memory. */
  private void forgetUnsent() {
    for (Demand demand : wantedBefore) {
      if (demand.deficit == 0 && !demand.isBegun) {
        demands.remove(demand.generation, demand);
      }
    }
    wantedBefore.clear();
  }

  /** Returns the number of generations whose state is kept. */
  int keptDemands() {
    return demands.size();
  }

  private boolean isAvailable(int generation) {
    return available == null || available.get(generation);
  }

  /**
   * Returns true if {@link #next} would write a packet or begin to read a generation. While it is
   * false because generations are being read, {@link #onLoaded} is called when to ask again.
   */
  public boolean hasNext() {
    if (sequence - cut >= MAX_IN_FLIGHT) {
      return false;
    }
    while (current < wanted.size()) {
      Demand demand = wanted.get(current);
      if (canSend(demand) && canStart(demand)) {
        return true;
      }
      current++;
    }
    return false;
  }

  /** Returns true if a packet can be written now, or the generation be read. */
  private boolean canStart(Demand demand) {
    int generation = demand.generation;
    if (!isAvailable(generation) || isPinned(generation)) {
      return true;
    }
    for (CachedGeneration each : ahead) {
      if (each.generation() == generation) {
        return !each.isLoading;
      }
    }
    return ahead.isEmpty() || object.isLoaded(generation) || mayReadAhead(generation);
  }

  private boolean mayReadAhead(int generation) {
    return ahead.size() < MAX_AHEAD && object.hasRoom(generation);
  }

  private boolean isPinned(int generation) {
    return pinned != null && pinned.generation() == generation;
  }

  private boolean isWanted(CachedGeneration generation) {
    Demand demand = demands.get(generation.generation());
    return demand != null && canSend(demand);
  }

  /**
   * Sets what hears that a generation was read, so that {@link #next} may have a packet. It is
   * called inside {@link GenerationLoad#finish}.
   */
  public void onLoaded(Runnable listener) {
    onLoaded = listener;
  }

  /** A generation that this sender waits for was read, or could not be. */
  void loaded() {
    current = 0;
    onLoaded.run();
  }

  private boolean canSend(Demand demand) {
    if (demand.deficit == 0 || (demand.budget() <= 0 && !isProbing)) {
      return false;
    }
    if (isAvailable(demand.generation)) {
      return demand.nextIndex < Packet.MAX_INDICES || demand.nextSource() >= 0;
    }
    // More combinations than the rank are of no use: less what has arrived, less what is under way.
    Rows rows = recoding == null ? null : recoding.rows(demand.generation);
    return rows != null
        && rows.rank()
            > demand.arrivedAtCut(arrivedShare()) + (isProbing ? 0 : demand.sentAfterCut);
  }

  /**
   * Writes the next packet.
   *
   * @param packet at least {@link #maxPacketBytes} bytes
   * @return the bytes written; 0 if nothing is wanted now, or it must be read first
   * @throws IOException if the generation cannot be read; calling again tries again
   * @throws IllegalArgumentException if the packet is too short
   */
  public int next(MemorySegment packet) throws IOException {
    if (packet.byteSize() < maxPacketBytes()) {
      throw new IllegalArgumentException(
          "%d bytes for a packet of up to %d".formatted(packet.byteSize(), maxPacketBytes()));
    }
    while (hasNext()) {
      Demand demand = wanted.get(current);
      int bytes;
      if (isAvailable(demand.generation)) {
        CachedGeneration generation = pin(demand.generation);
        if (generation == null) {
          continue; // it is being read, so another one is next
        }
        bytes = write(demand, generation, packet);
      } else {
        bytes = passOn(demand, packet);
      }
      log(demand);
      lastGeneration = demand.generation;
      return bytes;
    }
    return 0;
  }

  /** Writes the next packet to a buffer from its position on, which is behind the packet then. */
  public int next(ByteBuffer packet) throws IOException {
    int bytes = next(MemorySegment.ofBuffer(packet));
    packet.position(packet.position() + bytes);
    return bytes;
  }

  /** Writes the next packet to an array. */
  public int next(byte[] packet) throws IOException {
    return next(MemorySegment.ofArray(packet));
  }

  private int write(Demand demand, CachedGeneration generation, MemorySegment packet) {
    int k = generation.shape().blockSize();
    int position = demand.nextSource();
    if (position >= 0) {
      long at = writeHeader(packet, Packet.SOURCE, demand.generation, position);
      generation.source(position, packet, at);
      demand.sourceSent(position);
      return (int) at + k;
    }
    int index = demand.nextIndex;
    long at = writeHeader(packet, Packet.SEEDED, demand.generation, index);
    generation.coded(index, demand.budget(), packet, at);
    demand.nextIndex++;
    return (int) at + k;
  }

  /** Writes a block of a generation that is not available: a new source block, or a combination. */
  private int passOn(Demand demand, MemorySegment packet) {
    Rows rows = Objects.requireNonNull(Objects.requireNonNull(recoding).rows(demand.generation));
    GenerationShape shape = rows.shape();
    int row = rows.nextSource(demand.nextRow, demand::isSourceWanted);
    if (row >= 0) {
      int position = rows.position(row);
      long at = writeHeader(packet, Packet.SOURCE | Packet.UNVERIFIED, demand.generation, position);
      MemorySegment.copy(rows.payload(row), 0, packet, at, shape.blockSize());
      demand.sourceSent(position);
      demand.nextRow = row + 1;
      return (int) at + shape.blockSize();
    }
    long at = writeHeader(packet, Packet.EXPLICIT | Packet.UNVERIFIED, demand.generation);
    recoding.recode(demand.generation, rows, packet, at);
    demand.recoded(rows.rank());
    return (int) at + shape.blocks() + shape.blockSize();
  }

  /** Writes the header of a packet with a position or an index. */
  private long writeHeader(MemorySegment packet, int kind, int generation, int index) {
    writeHeader(packet, kind, generation);
    writer.writeVarint(index);
    return writer.position();
  }

  private long writeHeader(MemorySegment packet, int kind, int generation) {
    writer.start(packet);
    Packet.writeHeader(writer, kind, alias, (int) sequence, generation);
    return writer.position();
  }

  /** Returns a generation; null if it is being read. */
  private @Nullable CachedGeneration pin(int generation) throws IOException {
    CachedGeneration held = pinned;
    if (held != null && held.generation() == generation) {
      return held;
    }
    unpin();
    held = takeAhead(generation);
    if (held == null) {
      held = object.pin(generation);
    }
    if (held.isLoading) {
      await(held);
      return null;
    }
    try {
      held.requireRead();
    } catch (IOException | RuntimeException e) {
      object.unpin(held);
      throw e;
    }
    pinned = held;
    readAhead();
    return held;
  }

  private void await(CachedGeneration generation) {
    ahead.add(generation);
    generation.waiting.add(this);
  }

  private @Nullable CachedGeneration takeAhead(int generation) {
    for (int i = 0; i < ahead.size(); i++) {
      if (ahead.get(i).generation() == generation) {
        return ahead.remove(i);
      }
    }
    return null;
  }

  /** Begins to read the generations that follow the current one. */
  private void readAhead() {
    if (ahead.size() > MIN_AHEAD) {
      return;
    }
    int visited = 0;
    for (int i = current + 1; i < wanted.size() && visited < MAX_AHEAD; i++) {
      Demand demand = wanted.get(i);
      int generation = demand.generation;
      if (!canSend(demand) || !isAvailable(generation)) {
        continue;
      }
      visited++;
      if (!object.isLoaded(generation)
          && ahead.stream().noneMatch(each -> each.generation() == generation)) {
        if (!mayReadAhead(generation)) {
          return;
        }
        CachedGeneration held = object.pin(generation);
        if (held.isLoading) {
          await(held);
        } else {
          ahead.add(held);
        }
      }
    }
  }

  /** Lets go of generations that wait for their turn. */
  private void release(Predicate<CachedGeneration> condition) {
    ahead.removeIf(each -> {
      boolean isReleased = condition.test(each);
      if (isReleased) {
        each.waiting.remove(this);
        object.unpin(each);
      }
      return isReleased;
    });
  }

  private void unpin() {
    CachedGeneration held = pinned;
    if (held != null) {
      pinned = null;
      object.unpin(held);
    }
  }

  private void log(Demand demand) {
    if (sequence - cut == sent.length) {
      grow();
    }
    sent[(int) sequence & (sent.length - 1)] = demand;
    demand.sent();
    sequence++;
    newsReport = lastReport;
    isProbing = false;
  }

  private void grow() {
    @Nullable Demand[] larger = new Demand[2 * sent.length];
    for (long s = cut; s < sequence; s++) {
      larger[(int) s & (larger.length - 1)] = sent[(int) s & (sent.length - 1)];
    }
    sent = larger;
  }

  /** Returns the generation of the last packet that {@link #next} wrote; 0 before any. */
  public int lastGeneration() {
    return lastGeneration;
  }

  /** Returns the packets sent. */
  public long packetsSent() {
    return sequence;
  }

  /** Returns the packets that had arrived when the last report was made. */
  public long packetsArrived() {
    return arrived;
  }

  /**
   * Returns the highest sequence number that had arrived when the last report was made, plus 1.
   * Packet s is the s-th that {@link #next} wrote, counted from 0.
   */
  public long arrivedEnd() {
    return arrivedEnd;
  }

  /**
   * Returns the sequence number below which each packet is known to have arrived or to be lost.
   * Packets from it on may be late: it is less than {@link #arrivedEnd} where some are expected.
   */
  public long decidedEnd() {
    return lost == arrivedEnd - arrived ? arrivedEnd : cut;
  }

  /** Returns the packets below {@link #decidedEnd} that are lost. */
  public long packetsLost() {
    return lost;
  }

  /** Returns the time from that arrival to the last report, in microseconds. */
  public long reportDelayMicros() {
    return delayMicros;
  }

  /** Releases the generations in use. Idempotent. */
  @Override
  public void close() {
    unpin();
    release(each -> true);
  }
}
