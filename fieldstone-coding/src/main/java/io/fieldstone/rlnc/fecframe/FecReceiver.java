package io.fieldstone.rlnc.fecframe;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.window.Delivery;
import io.fieldstone.rlnc.window.PacketSink;
import io.fieldstone.rlnc.window.SymbolFraming;
import io.fieldstone.rlnc.window.WindowCode;
import io.fieldstone.rlnc.window.WindowDecoder;
import io.fieldstone.rlnc.window.WindowShape;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.MemorySegment;

/**
 * Turns FEC source packets and FEC repair packets into ADUs, and solves lost ones.
 *
 * {@snippet :
 * try (FecReceiver receiver = FecReceiver.open(engine, configuration, settings)) {
 *   receiver.source(0, packet, adus); // a datagram of source flow 0
 *   receiver.repair(packet, adus); // a datagram of the repair flow
 * }
 * }
 *
 * <p>No packet makes these methods fail: what is malformed, late, foreign or contradicts what is
 * known is counted in {@link #statistics}. An attacker who changes packets can still make wrong
 * ADUs, as RFC 8681, section 7, explains.
 *
 * <p>For one thread at a time. The caller owns the engine, which must stay open until the receiver
 * is closed. Source: RFC 8681, section 6.2 and appendix D.
 */
public final class FecReceiver implements AutoCloseable {

  private final FecConfiguration configuration;
  private final WindowSizes sizes;
  private final int largestAdu;
  private final boolean ordered;
  private final int symbolBytes;
  private final boolean[] flows = new boolean[Adui.MAX_FLOW + 1];
  private final WindowCode[] codes = new WindowCode[WindowCode.MAX_DENSITY_THRESHOLD + 1];
  private final WindowDecoder decoder;
  private final PacketSink solved = new SolvedSymbols();
  private final EsiOrder order;
  private final SymbolRing ring;
  private final MemorySegment adui;
  private final MemorySegment coefficients = MemorySegment.ofArray(new byte[WindowCode.MAX_COUNT]);

  /** The first id of the stream: symbols before it were not sent to this receiver. */
  private long start;

  /** The next id to deliver, in order. */
  private long next;

  private AduSink sink = (_, _, _) -> {};

  private long decided;
  private long pathLost;
  private long unsolved;
  private long receivedSymbols;
  private long solvedSymbols;
  private long repairSymbols;
  private long duplicates;
  private long late;
  private long refused;
  private long damaged;
  private long restarts;

  private FecReceiver(
      FecConfiguration configuration, FecReceiverSettings settings, WindowDecoder decoder) {
    this.configuration = configuration;
    this.sizes = settings.sizes();
    this.largestAdu = settings.largestAdu();
    this.ordered = settings.order() == Delivery.IN_ORDER;
    this.symbolBytes = configuration.information().symbolBytes();
    this.decoder = decoder;
    this.order = new EsiOrder(sizes.linearSystem());
    int symbols = Adui.symbols(largestAdu, symbolBytes);
    this.ring = new SymbolRing(sizes.linearSystem(), symbolBytes, symbols);
    this.adui = MemorySegment.ofArray(new byte[symbols * symbolBytes]);
    configuration.flows().forEach(flow -> flows[flow] = true);
    for (int threshold = 0; threshold < codes.length; threshold++) {
      codes[threshold] = configuration.scheme().code(threshold);
    }
  }

  /**
   * Opens a receiver.
   *
   * @param engine solves lost symbols
   * @param configuration what sender and receiver share
   * @param settings windows, sizes and order
   * @throws IllegalArgumentException if the largest ADU has more symbols than the linear system
   */
  public static FecReceiver open(
      Engine engine, FecConfiguration configuration, FecReceiverSettings settings) {
    engine.requireOpen();
    int symbolBytes = configuration.information().symbolBytes();
    int window = settings.sizes().linearSystem();
    int symbols = Adui.symbols(settings.largestAdu(), symbolBytes);
    if (symbols > window) {
      throw new IllegalArgumentException(
          "an ADU of %d bytes has %d symbols, and the linear system %d"
              .formatted(settings.largestAdu(), symbols, window));
    }
    WindowShape shape = new WindowShape(symbolBytes, window, SymbolFraming.NONE);
    WindowCode code = configuration.scheme().code(WindowCode.MAX_DENSITY_THRESHOLD);
    return new FecReceiver(
        configuration, settings, WindowDecoder.open(engine, shape, code, Delivery.AS_DECODED, 0));
  }

  /**
   * Receives a FEC source packet.
   *
   * @param flow the flow that its addresses belong to; unknown ones are counted as refused
   * @param packet an ADU and its {@link SourcePayloadId}
   * @param adus receives ADUs that are now deliverable
   */
  public void source(int flow, MemorySegment packet, AduSink adus) {
    sink = adus;
    long bytes = packet.byteSize() - SourcePayloadId.BYTES;
    if (flow < 0 || flow >= flows.length || !flows[flow] || bytes < 0 || bytes > largestAdu) {
      refused++;
      return;
    }
    long esi = Integer.toUnsignedLong(packet.get(Wire.INT, bytes));
    int symbols = Adui.symbols((int) bytes, symbolBytes);
    long id = locate(esi, symbols, true);
    if (id < 0) {
      return;
    }
    MemorySegment information = adui.asSlice(0, (long) symbols * symbolBytes);
    Adui.write(flow, packet.asSlice(0, bytes), information);
    if (!ring.agrees(id, information)) {
      refused++;
      return;
    }
    store(id, symbols, information);
    finish();
  }

  private void store(long id, int symbols, MemorySegment information) {
    int added = 0;
    for (int i = 0; i < symbols; i++) {
      if (ring.receive(id + i)) {
        added++;
      }
      if (!ring.isKnown(id + i)) {
        ring.store(id + i, symbol(information, i));
      }
    }
    receivedSymbols += added;
    if (added == 0) {
      duplicates++;
      return;
    }
    ring.begin(id);
    complete(id);
    for (int i = 0; i < symbols; i++) {
      decoder.source(id + i, symbol(information, i), solved);
    }
  }

  private MemorySegment symbol(MemorySegment symbols, int index) {
    return symbols.asSlice((long) index * symbolBytes, symbolBytes);
  }

  /**
   * Receives a FEC repair packet.
   *
   * @param packet a {@link RepairPayloadId} and one or more repair symbols
   * @param adus receives ADUs that are now deliverable
   */
  public void repair(MemorySegment packet, AduSink adus) {
    sink = adus;
    long bytes = packet.byteSize() - RepairPayloadId.BYTES;
    if (bytes < symbolBytes || bytes % symbolBytes != 0) {
      refused++;
      return;
    }
    RepairPayloadId payloadId;
    try {
      payloadId = RepairPayloadId.parse(packet);
    } catch (MalformedDataException _) {
      refused++;
      return;
    }
    int count = payloadId.sourceSymbols();
    if (count > sizes.linearSystem()) {
      refused++;
      return;
    }
    long first = locate(payloadId.firstEsi(), count, false);
    if (first < 0) {
      return;
    }
    WindowCode code = codes[payloadId.densityThreshold()];
    for (int i = 0; i < bytes / symbolBytes; i++) {
      repairSymbols++;
      if (!ring.isKnown(first, count)) {
        // Where the code has one key, a receiver ignores what the field says (RFC 8681, 5.1.3).
        code.coefficients((payloadId.key() + i) % code.keys(), count, coefficients);
        decoder.recoded(
            first,
            coefficients.asSlice(0, count),
            symbol(packet.asSlice(RepairPayloadId.BYTES), i),
            solved);
      }
    }
    finish();
  }

  /**
   * Declares source symbols lost for the application, in {@link Delivery#IN_ORDER}: ADUs after them
   * need not wait any longer. A caller with a clock does so when their latency budget ends.
   *
   * @param symbols how many of the latest symbols may still be waited for, ≥ 0
   * @param adus receives ADUs that are now deliverable, and the losses
   */
  public void expire(int symbols, AduSink adus) {
    Wire.requireIn("number of source symbols", symbols, 0, Integer.MAX_VALUE);
    sink = adus;
    if (ordered && order.end() >= 0) {
      giveUp(order.end() - symbols);
    }
  }

  /** Returns how many symbols wait for an earlier one to be solved; 0 if all are delivered. */
  public long waiting() {
    return ordered && order.end() >= 0 ? order.end() - next : 0;
  }

  /**
   * Returns the place of the receiver in the stream: a number that grows by one with each source
   * symbol that a packet has shown to exist, and is −1 before the first packet. A caller with a
   * clock knows from it how many symbols are younger than their latency budget; see {@link
   * #expire}.
   */
  public long position() {
    return order.end();
  }

  /** Returns the counts so far. */
  public FecStatistics statistics() {
    return new FecStatistics(
        decided,
        pathLost,
        unsolved,
        receivedSymbols,
        solvedSymbols,
        repairSymbols,
        duplicates,
        late,
        refused,
        damaged,
        restarts);
  }

  /** Returns the id of a packet after the windows have moved, or a negative number. */
  private long locate(long esi, int symbols, boolean isSource) {
    long id = order.locate(esi, symbols);
    if (id == EsiOrder.LATE) {
      late++;
    } else if (id == EsiOrder.FOREIGN) {
      refused++;
    } else if (order.jumped()) {
      restart(isSource ? id : order.end(), id - esi);
    } else {
      moveTo(order.end());
    }
    return id;
  }

  /**
   * Begins a stream.
   *
   * @param first the id of the first symbol that is known to be sent to this receiver
   * @param zero the id of ESI 0
   */
  private void restart(long first, long zero) {
    if (ring.end() > 0) {
      restarts++;
      if (ordered) {
        giveUp(ring.end());
      }
      decide(ring.end());
    }
    ring.clear(order.end());
    // A session begins with ESI 0, so that the symbols before an early one belong to it.
    boolean early = zero >= order.end() - sizes.decoding();
    start = early ? zero : first;
    next = start;
    if (early) {
      ring.begin(zero);
    }
  }

  private void moveTo(long end) {
    if (end <= ring.end()) {
      return;
    }
    if (ordered) {
      giveUp(end - sizes.decoding());
    }
    decide(end - sizes.linearSystem());
    ring.extend(end);
  }

  /** Counts symbols that leave the linear system. */
  private void decide(long until) {
    long from = Math.max(start, ring.first());
    for (long id = from; id < Math.min(until, ring.end()); id++) {
      decided++;
      pathLost += ring.isReceived(id) ? 0 : 1;
      unsolved += ring.isKnown(id) ? 0 : 1;
    }
    long unseen = Math.max(0, until - Math.max(from, ring.end()));
    decided += unseen;
    pathLost += unseen;
    unsolved += unseen;
  }

  /** Takes the symbols that the decoder solves; it hands out received ones, too. */
  private final class SolvedSymbols implements PacketSink {
    @Override
    public void packet(long id, MemorySegment symbol) {
      if (ring.contains(id) && !ring.isKnown(id)) {
        ring.store(id, symbol);
        solvedSymbols++;
        complete(ring.beginBefore(id));
      }
    }

    @Override
    public void gap(long first, long count) {
      // The decoding window of this receiver says what is lost for the application.
    }
  }

  /** Completes the ADU that begins at an id, and those that follow it. */
  private void complete(long first) {
    for (long id = first; ring.isBegin(id) && !ring.isComplete(id); ) {
      int symbols = Adui.symbols(Adui.length(ring.symbol(id)), symbolBytes);
      if (!isPossible(ring.symbol(id))) {
        damaged++;
        ring.refuse(id);
        return;
      }
      if (!ring.isKnown(id, symbols)) {
        return;
      }
      try {
        Adui.adu(ring.symbols(id, symbols));
      } catch (MalformedDataException _) {
        damaged++;
        ring.refuse(id);
        return;
      }
      ring.complete(id, symbols);
      if (!ordered && id >= ring.end() - sizes.decoding()) {
        deliver(id);
      }
      id += symbols;
    }
  }

  private boolean isPossible(MemorySegment first) {
    return flows[Adui.flow(first)] && Adui.length(first) <= largestAdu;
  }

  private void finish() {
    if (ordered) {
      deliverInOrder();
    }
  }

  private void deliverInOrder() {
    while (ring.isComplete(next)) {
      deliver(next);
      next += ring.span(next);
    }
  }

  /** Delivers or declares lost everything below an id. */
  private void giveUp(long until) {
    deliverInOrder();
    while (next < until) {
      long from = next;
      next++;
      while (next < until && ring.contains(next) && !ring.isComplete(next)) {
        next++;
      }
      if (!ring.contains(next)) {
        next = until;
      }
      sink.lost(from & Wire.MAX_ESI, next - from);
      deliverInOrder();
    }
  }

  private void deliver(long id) {
    MemorySegment information = ring.symbols(id, ring.span(id));
    sink.adu(
        Adui.flow(information),
        id & Wire.MAX_ESI,
        information.asSlice(Adui.HEADER_BYTES, Adui.length(information)));
  }

  /** Returns the configuration. */
  public FecConfiguration configuration() {
    return configuration;
  }

  /** Releases memory of the engine. */
  @Override
  public void close() {
    decoder.close();
  }
}
