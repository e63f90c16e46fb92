package io.fieldstone.rlnc.object;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Receives one object from any number of senders at once, and verifies each generation.
 *
 * <p>It asks for what it lacks: {@link #report} divides the deficit of each open generation among
 * the senders, so that no two send the same. Each generation is decoded once its rank is full, and
 * goes to the {@link GenerationSink} if its hash is that of the object. Otherwise it is fetched
 * again from one sender alone, and every sender of a wrong block is found, removed and reported.
 *
 * {@snippet :
 * ObjectReceiver receiver = ObjectReceiver.builder(engine, hashes, sink).build();
 * int sender = receiver.addSender(seed, SenderKind.ORIGIN, alias);
 * while (!receiver.isComplete()) {
 *   receiver.receive(sender, packet);               // for each packet
 *   int bytes = receiver.report(sender, 0, report); // every RTT/4
 *   send(report.asSlice(0, bytes));
 * }
 * }
 *
 * <p>The window in {@link ReceiverOptions} bounds the memory, for any behaviour of the senders.
 *
 * <p>For one thread at a time. The caller owns the engine, which must stay open until the receiver
 * is closed.
 */
public final class ObjectReceiver implements AutoCloseable {

  /** The maximum number of senders at a time. */
  public static final int MAX_SENDERS = 1024;

  /** The polluted generations after which an immediate relay is removed. */
  public static final int MAX_STRIKES = 3;

  /** The minimum bytes of memory for a report. */
  public static final int MIN_REPORT_BYTES = Report.MAX_HEADER_BYTES + Report.MAX_ITEM_BYTES;

  private final ObjectManifest manifest;
  private final GenerationHashes hashes;
  private final ReceiverOptions options;
  private final GenerationSink sink;
  private final ReceiverListener listener;
  private final BitSet verified;

  /** The generations to open: neither verified nor open. */
  private final BitSet wanted = new BitSet();

  private final Senders senders = new Senders();
  private final GenerationWindow window;
  private final Scheduler scheduler;
  private final Polluters polluters;
  private final ReportWriter reports;
  private final Packet.Header header = new Packet.Header();

  /** The blocks that the receivers of a relay want of each generation that is not open. */
  private final Map<Integer, Integer> parts = new HashMap<>();

  private IntPredicate isWantedByReceivers = _ -> false;
  private Runnable readAhead = () -> {};
  private final HashTree tree = new HashTree();
  private int verifiedCount;
  private long packets;
  private long innovative;

  private ObjectReceiver(Builder settings) {
    this.hashes = settings.hashes;
    this.manifest = hashes.manifest();
    this.verified = settings.verified;
    this.verifiedCount = verified.cardinality();
    this.options = settings.options;
    this.sink = settings.sink;
    this.listener = settings.listener;
    this.window =
        new GenerationWindow(settings.engine, manifest, settings.allocator, options.windowBytes());
    this.scheduler = new Scheduler(senders, window.open());
    this.polluters = new Polluters(senders, scheduler, window, listener);
    this.reports = new ReportWriter(window);
    if (!options.isOnDemand()) {
      wanted.set(0, manifest.generations());
      wanted.andNot(verified);
    }
  }

  /**
   * Begins to describe a receiver of a whole object, with the default window.
   *
   * @param engine computes products and eliminations
   * @param hashes the hashes of the generations, which name the object
   * @param sink takes verified generations
   */
  public static Builder builder(Engine engine, GenerationHashes hashes, GenerationSink sink) {
    return new Builder(engine, hashes, sink);
  }

  /** Describes a receiver. For one thread at a time. */
  public static final class Builder {

    private final Engine engine;
    private final GenerationHashes hashes;
    private final GenerationSink sink;
    private BitSet verified = new BitSet();
    private ReceiverOptions options = ReceiverOptions.DEFAULT;
    private ReceiverListener listener = ReceiverListener.NONE;
    private LongFunction<HostMemory> allocator;

    private Builder(Engine engine, GenerationHashes hashes, GenerationSink sink) {
      engine.requireOpen();
      this.engine = engine;
      this.hashes = hashes;
      this.sink = sink;
      this.allocator = engine::allocateHost;
    }

    /**
     * Sets the generations that the caller has already; none without a call.
     *
     * @param generations copied
     * @throws IllegalArgumentException if the object has not one of them
     */
    public Builder verified(BitSet generations) {
      int count = hashes.manifest().generations();
      if (generations.length() > count) {
        throw new IllegalArgumentException(
            "generation %d of %d".formatted(generations.length() - 1, count));
      }
      verified = (BitSet) generations.clone();
      return this;
    }

    /** Sets the window and the verifier; {@link ReceiverOptions#DEFAULT} without a call. */
    public Builder options(ReceiverOptions newOptions) {
      options = newOptions;
      return this;
    }

    /** Sets who hears of events; nobody without a call. */
    public Builder listener(ReceiverListener newListener) {
      listener = newListener;
      return this;
    }

    /** Takes memory from other receivers, and leaves it to them. */
    public Builder memory(ReceiverMemory memory) {
      allocator = memory::allocate;
      return this;
    }

    /** Creates the receiver. */
    public ObjectReceiver build() {
      return new ObjectReceiver(this);
    }
  }

  /** Returns the manifest. */
  public ObjectManifest manifest() {
    return manifest;
  }

  /**
   * Adds a sender.
   *
   * @param seed the seed of its coded blocks
   * @param kind its kind
   * @param alias the number of the object on this connection, as the sender chose it
   * @return its number, which is never used again
   * @throws IllegalArgumentException if the alias is not in 0 … {@link Packet#MAX_ALIASES} − 1
   * @throws IllegalStateException if there are {@value #MAX_SENDERS} senders
   */
  public int addSender(long seed, SenderKind kind, int alias) {
    return addSender(seed, kind, alias, List.of());
  }

  /**
   * Adds a sender that may have been one before, on other connections. If it is an immediate relay,
   * the generations that it polluted then count, too.
   *
   * @param seed the seed of its coded blocks
   * @param kind its kind
   * @param alias the number of the object on this connection, as the sender chose it
   * @param before the numbers that it had before
   * @return its number, which is never used again
   * @throws IllegalArgumentException if the alias is not in 0 … {@link Packet#MAX_ALIASES} − 1
   * @throws IllegalStateException if there are {@value #MAX_SENDERS} senders
   */
  public int addSender(long seed, SenderKind kind, int alias, Collection<Integer> before) {
    SenderState added = senders.add(seed, kind, Packet.requireAlias(alias));
    polluters.add(added, before);
    window.open().forEach(generation -> generation.division().reserve(senders.slots()));
    return added.number();
  }

  /**
   * Removes a sender that has left. Its blocks stay, and others are asked for its scheduler. Does
   * nothing if it is removed already.
   */
  public void removeSender(int sender) {
    SenderState removed = senders.get(sender);
    if (removed != null) {
      polluters.remove(removed);
    }
  }

  /** Returns the blocks that may be under way from all senders before no generation is opened. */
  int blocksUnderWay() {
    return scheduler.maxUnderWay();
  }

  /** Returns the blocks that a sender was asked for and has not delivered; 0 if it was removed. */
  public int outstanding(int sender) {
    SenderState state = senders.get(sender);
    return state == null ? 0 : state.outstanding();
  }

  /**
   * Returns the share of a sender's packets that are lost; 0 if none has come, or it is removed.
   */
  public double lossShare(int sender) {
    SenderState state = senders.get(sender);
    if (state == null || state.log().end() == 0) {
      return 0;
    }
    return (double) state.log().lost() / state.log().end();
  }

  /** Returns the number of senders. */
  public int senders() {
    return senders.count();
  }

  /**
   * Names the generations that a sender has; without a call it has all. Copied.
   *
   * @throws IllegalArgumentException if the set has a generation that the object has not
   */
  public void setAvailable(int sender, BitSet generations) {
    if (generations.length() > manifest.generations()) {
      throw new IllegalArgumentException(
          "generation %d of %d".formatted(generations.length() - 1, manifest.generations()));
    }
    SenderState state = senders.get(sender);
    if (state == null) {
      return;
    }
    state.setAvailable(generations);
    for (OpenGeneration generation : window.open()) {
      if (!state.has(generation.number())) {
        generation.division().take(state);
        if (generation.exclusive() == state) {
          polluters.abandon(generation);
        }
      }
    }
  }

  /**
   * Adds a generation to those that a sender has.
   *
   * @throws IndexOutOfBoundsException if the object has no such generation
   */
  public void addAvailable(int sender, int generation) {
    Objects.checkIndex(generation, manifest.generations());
    SenderState state = senders.get(sender);
    if (state != null) {
      state.addAvailable(generation);
    }
  }

  /**
   * Asks for a generation, for a receiver that fetches on demand. Does nothing if it is verified.
   *
   * @throws IndexOutOfBoundsException if the object has no such generation
   */
  public void want(int generation) {
    want(generation, blocksOf(Objects.checkIndex(generation, manifest.generations())));
  }

  /**
   * Asks for a part of a generation, which is never complete unless it is asked for as a whole. The
   * largest part counts.
   *
   * @param blocks the independent blocks that a receiver of this relay wants from it
   */
  void want(int generation, int blocks) {
    if (verified.get(generation)) {
      return;
    }
    OpenGeneration known = window.get(generation);
    if (known == null) {
      wanted.set(generation);
      if (options.isOnDemand()) {
        parts.merge(generation, blocks, Math::max);
      }
    } else if (known.isPartial()) {
      known.raise(scheduler.partOf(known, blocks));
    }
  }

  /**
   * Serves receivers of a relay.
   *
   * @param isWanted whether one of them wants blocks of a generation
   * @param readAhead calls {@link #openAhead} once all generations that are wanted are open, or no
   *     more can be
   */
  void serve(IntPredicate isWanted, Runnable readAhead) {
    isWantedByReceivers = isWanted;
    this.readAhead = readAhead;
  }

  /**
   * Opens a generation that nobody has asked for, unless it is open or verified. It leaves half of
   * the window to others.
   *
   * @param blocks the independent blocks to collect
   * @return false if none can be opened now
   */
  boolean openAhead(int generation, int blocks) {
    if (verified.get(generation) || window.get(generation) != null) {
      return true;
    }
    if (window.open().size() >= window.maxOpen() / 2 || !scheduler.canOpen(generation)) {
      return false;
    }
    parts.merge(generation, blocks, Math::max);
    open(generation);
    return true;
  }

  /**
   * Fetches an open generation again from one sender alone, because a receiver of this relay found
   * it polluted. A generation is suspected once; it is fetched to its end then, and the senders of
   * wrong blocks are found as always.
   */
  public void suspect(int generation) {
    OpenGeneration suspected = window.get(generation);
    if (suspected != null) {
      polluters.suspect(suspected);
    }
  }

  /** Makes a verified generation missing again, because its bytes were lost. */
  public void forget(int generation) {
    if (verified.get(generation)) {
      verified.clear(generation);
      verifiedCount--;
      if (!options.isOnDemand()) {
        wanted.set(generation);
      }
    }
  }

  /** Describes open generations and senders, for tests. */
  String describe() {
    StringBuilder text = new StringBuilder();
    for (SenderState sender : senders) {
      text.append("%n  %s".formatted(sender));
    }
    for (OpenGeneration generation : window.open()) {
      text.append("%n  %s".formatted(generation));
    }
    return text.toString();
  }

  /** Returns true if all generations are verified. */
  public boolean isComplete() {
    return verifiedCount == manifest.generations();
  }

  /** Returns a copy of the set of verified generations. */
  public BitSet verified() {
    return (BitSet) verified.clone();
  }

  /** Returns true if a generation is verified. */
  public boolean isVerified(int generation) {
    return verified.get(generation);
  }

  /** Returns the generations that are not verified. */
  public BitSet missing() {
    BitSet missing = verified();
    missing.flip(0, manifest.generations());
    return missing;
  }

  /** Returns the state from which another receiver can resume. */
  public ResumeState state() {
    return new ResumeState(manifest, verified);
  }

  /** Returns the open generations, whose leaves may be set. */
  public BitSet open() {
    BitSet numbers = new BitSet();
    window.open().forEach(generation -> numbers.set(generation.number()));
    return numbers;
  }

  /** Returns the independent blocks that are there of a generation: all if it is verified. */
  public int rank(int generation) {
    if (verified.get(generation)) {
      return manifest.shapeOf(generation).blocks();
    }
    OpenGeneration collected = window.get(generation);
    return collected == null ? 0 : collected.rows().rank();
  }

  /** Returns the number of open generations. */
  public int openGenerations() {
    return window.open().size();
  }

  /** Returns the bytes of memory for open generations. */
  public long heldBytes() {
    return window.heldBytes();
  }

  /** Returns the data packets that arrived. */
  public long packetsReceived() {
    return packets;
  }

  /** Returns the packets that brought an innovative block. */
  public long packetsInnovative() {
    return innovative;
  }

  /** Returns the generations that were fetched again from their first block on. */
  public long generationsRefetched() {
    return polluters.refetched();
  }

  /**
   * Sets the hashes of the source blocks of an open generation, so that each source block is
   * checked as it arrives.
   *
   * @return false if the generation is not open, and the leaves are not kept
   * @throws MalformedDataException if the leaves are not those of the generation
   */
  public boolean setLeaves(int generation, List<Sha256> leaves) throws MalformedDataException {
    OpenGeneration known = window.get(generation);
    if (known == null) {
      return false;
    }
    if (leaves.size() != known.blocks() || !tree.generation(leaves).equals(hashes.of(generation))) {
      throw new MalformedDataException(
          0, "%d leaves that are not of generation %d".formatted(leaves.size(), generation));
    }
    known.setLeaves(leaves);
    checkLeaves(known);
    return true;
  }

  /** Checks the source blocks that arrived before their leaves. */
  private void checkLeaves(OpenGeneration generation) {
    if (!generation.isCollecting()) {
      return;
    }
    Rows rows = generation.rows();
    BitSet wrong = new BitSet();
    for (int row = 0; row < rows.rank(); row++) {
      int position = rows.position(row);
      if (position < 0) {
        continue;
      }
      if (isLeaf(generation, position, rows.payload(row))) {
        listener.sourceVerified(generation.number(), position, rows.payload(row));
      } else {
        wrong.set(row);
      }
    }
    polluters.removeWrong(generation, wrong);
  }

  private boolean isLeaf(OpenGeneration generation, int position, MemorySegment block) {
    List<Sha256> leaves = generation.leaves();
    return leaves == null || leaves.get(position).equals(tree.leaf(block));
  }

  /**
   * Takes a packet.
   *
   * @param sender the number of the sender, known from the connection
   * @param packet one data packet, which is not kept
   * @return its use
   * @throws MalformedDataException if it is damaged; the state does not change, and the connection
   *     should be closed
   * @throws IOException if the sink fails; the generation stays missing
   */
  public Arrival receive(int sender, MemorySegment packet)
      throws MalformedDataException, IOException {
    SenderState from = senders.get(sender);
    if (from == null) {
      return Arrival.LATE;
    }
    header.read(packet, manifest.generations());
    GenerationShape shape = manifest.shape();
    OpenGeneration generation = window.get(header.generation);
    int n = generation == null ? blocksOf(header.generation) : generation.blocks();
    requireValid(packet, n, shape.blockSize());
    if (header.isUnverified && !from.isImmediate()) {
      throw new MalformedDataException(0, "an unverified block from a sender that verifies");
    }
    ArrivalLog log = from.log();
    long sequence = log.sequence(header.sequence);
    boolean isAfterCut = sequence >= log.cut();
    if (!log.note(sequence, header.generation)) {
      return Arrival.REDUNDANT;
    }
    packets++;
    if (generation == null) {
      return Arrival.LATE;
    }
    if (isAfterCut) {
      generation.division().countAfterCut(from);
    }
    if (!generation.isCollecting() || !scheduler.accepts(generation, from)) {
      return Arrival.REDUNDANT;
    }
    return add(generation, from, packet);
  }

  /** Takes the remaining bytes of a buffer as a packet; its position is its limit then. */
  public Arrival receive(int sender, ByteBuffer packet) throws MalformedDataException, IOException {
    Arrival arrival = receive(sender, MemorySegment.ofBuffer(packet));
    packet.position(packet.limit());
    return arrival;
  }

  /** Takes the bytes of an array as a packet. */
  public Arrival receive(int sender, byte[] packet) throws MalformedDataException, IOException {
    return receive(sender, MemorySegment.ofArray(packet));
  }

  private int blocksOf(int generation) {
    return manifest.shapeOf(generation).blocks();
  }

  private void requireValid(MemorySegment packet, int n, int k) throws MalformedDataException {
    header.requireBody(packet, header.kind == Packet.EXPLICIT ? n + k : k);
    if (header.kind == Packet.SOURCE && header.index >= n) {
      throw new MalformedDataException(
          header.bodyAt, "source block %d of %d".formatted(header.index, n));
    }
    if (header.kind == Packet.SEEDED && manifest.shape().code().isSource(header.index, n)) {
      throw new MalformedDataException(
          header.bodyAt, "coded block %d is source block".formatted(header.index));
    }
  }

  private Arrival add(OpenGeneration generation, SenderState from, MemorySegment packet)
      throws IOException {
    Rows rows = generation.rows();
    long at = header.bodyAt;
    boolean isInnovative =
        switch (header.kind) {
          case Packet.SOURCE -> {
            if (generation.leaves() != null && !rows.holdsSource(header.index)) {
              MemorySegment block = packet.asSlice(at);
              if (!isLeaf(generation, header.index, block)) {
                polluters.punish(from.number(), generation.number(), Conviction.Evidence.LEAF);
                yield false;
              }
            }
            yield rows.addSource(from.number(), header.index, packet, at);
          }
          case Packet.SEEDED ->
              rows.addSeeded(
                  from.number(), from.seed(), generation.number(), header.index, packet, at);
          default -> rows.addExplicit(from.number(), packet, at);
        };
    if (!isInnovative) {
      return senders.get(from.number()) == null ? Arrival.WRONG : Arrival.REDUNDANT;
    }
    innovative++;
    scheduler.delivered(generation, from, innovative);
    if (header.kind == Packet.SOURCE && generation.leaves() != null) {
      listener.sourceVerified(generation.number(), header.index, rows.payload(rows.rank() - 1));
    }
    if (rows.isComplete()) {
      verify(generation);
    }
    return Arrival.INNOVATIVE;
  }

  private void verify(OpenGeneration generation) throws IOException {
    scheduler.takeAll(generation);
    generation.verify();
    MemorySegment output = window.output(generation.shape().bytes());
    GenerationTask task = new GenerationTask(generation, generation.rows(), output);
    options.verifier().accept(task);
    if (task.hash() != null) {
      finish(task);
    }
  }

  /**
   * Takes a task that has run. Does nothing if it was taken already.
   *
   * @throws IOException if the sink fails; the generation stays missing
   * @throws IllegalStateException if the task has not run
   */
  public void finish(GenerationTask task) throws IOException {
    Sha256 hash = task.hash();
    if (hash == null) {
      throw new IllegalStateException(
          "the task of generation " + task.generation() + " has not run");
    }
    if (task.isFinished) {
      return;
    }
    task.isFinished = true;
    OpenGeneration generation = task.open();
    try {
      if (hash.equals(hashes.of(generation.number()))) {
        accept(generation, task.output());
      } else {
        polluters.rejected(generation);
      }
    } finally {
      window.releaseOutput(task.output());
    }
  }

  private void accept(OpenGeneration generation, MemorySegment source) throws IOException {
    int number = generation.number();
    window.remove(generation);
    scheduler.endProbe(generation);
    polluters.accepted(generation, source);
    try {
      sink.verified(number, source.asSlice(0, manifest.bytesOf(number)));
      verified.set(number);
      verifiedCount++;
    } finally {
      if (!verified.get(number)) {
        wanted.set(number);
      }
    }
  }

  /**
   * Writes a report to one sender. Call it for each sender every quarter of the round-trip time,
   * and at least every few milliseconds.
   *
   * @param sender the number of the sender
   * @param delayMicros the time since its newest packet arrived, in microseconds, ≥ 0
   * @param report at least {@link #MIN_REPORT_BYTES} bytes; those that fit are used
   * @return the bytes written; 0 if the sender was removed
   * @throws IllegalArgumentException if the report is too short
   */
  public int report(int sender, long delayMicros, MemorySegment report) {
    if (report.byteSize() < MIN_REPORT_BYTES) {
      throw new IllegalArgumentException(
          "%d bytes for a report of at least %d".formatted(report.byteSize(), MIN_REPORT_BYTES));
    }
    SenderState to = senders.get(sender);
    if (to == null) {
      return 0;
    }
    openMore();
    for (OpenGeneration generation : scheduler.watch(to, innovative)) {
      generation.addTried(to.number());
      polluters.abandon(generation);
    }
    return reports.write(to, delayMicros, wanted.isEmpty(), report);
  }

  /** Writes a report to a buffer from its position on, which is behind the report then. */
  public int report(int sender, long delayMicros, ByteBuffer report) {
    int bytes = report(sender, delayMicros, MemorySegment.ofBuffer(report));
    report.position(report.position() + bytes);
    return bytes;
  }

  /** Writes a report to an array. */
  public int report(int sender, long delayMicros, byte[] report) {
    return report(sender, delayMicros, MemorySegment.ofArray(report));
  }

  /** Opens generations while the window has room and a sender can be asked for them. */
  private void openMore() {
    openWanted();
    if (options.isOnDemand()) {
      readAhead.run();
    }
    scheduler.moveProbes();
  }

  private void openWanted() {
    scheduler.assignAll();
    int from = 0;
    int failures = 0;
    int maxOpen = window.maxOpen();
    while (failures < maxOpen && !wanted.isEmpty()) {
      if (window.open().size() >= maxOpen && !makeRoom()) {
        return;
      }
      int number = senders.nextAvailable(wanted, from);
      if (number < 0) {
        return;
      }
      from = number + 1;
      if (!scheduler.canOpen(number)) {
        failures++;
        continue;
      }
      open(number);
    }
  }

  private void open(int generation) {
    wanted.clear(generation);
    OpenGeneration added = window.add(generation, senders.slots());
    Integer part = parts.remove(generation);
    if (part != null) {
      added.limit(scheduler.partOf(added, part));
    }
    scheduler.assign(added);
  }

  /**
   * Closes a part of a generation that no receiver of this relay wants any more. If all parts are
   * wanted and have arrived, the first one is collected to its end: the window would stay full if
   * its receivers waited for others whose windows are full, too.
   *
   * @return false if nothing was closed
   */
  private boolean makeRoom() {
    boolean isIdle = true;
    OpenGeneration first = null;
    for (OpenGeneration generation : window.open()) {
      if (generation.missing() > 0 || !generation.isPartial()) {
        isIdle = false;
      } else if (generation.isCollecting() && !generation.isQuarantined()) {
        if (!isWantedByReceivers.test(generation.number())) {
          window.remove(generation);
          window.release(generation.rows());
          return true;
        }
        first = first == null ? generation : first;
      }
    }
    if (isIdle && first != null) {
      first.raise(first.blocks());
      scheduler.assign(first);
    }
    return false;
  }

  /** Returns the blocks of a generation that is collected; null for others. */
  @Nullable Rows collectedRows(int generation) {
    OpenGeneration known = window.get(generation);
    return known == null || !known.isCollecting() ? null : known.rows();
  }

  /** Frees the memory. No task may be running. Idempotent. */
  @Override
  public void close() {
    window.close();
    senders.clear();
    wanted.clear();
    parts.clear();
  }
}
