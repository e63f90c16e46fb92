package io.fieldstone.net.live;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.pacing.WindowedMin;
import io.fieldstone.rlnc.repair.LossCounter;
import io.fieldstone.rlnc.window.Acknowledgement;
import io.fieldstone.rlnc.window.Delivery;
import io.fieldstone.rlnc.window.PacketSink;
import io.fieldstone.rlnc.window.Reception;
import io.fieldstone.rlnc.window.Repair;
import io.fieldstone.rlnc.window.WindowCode;
import io.fieldstone.rlnc.window.WindowDecoder;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Receives a flow of live packets: delivers packets in order or as they are known, declares those
 * lost whose deadline has passed, and reports to the sender.
 *
 * <p><b>Time.</b> Packets carry the time of the sender at which a source was added. The least
 * difference between arrival and that time in the last seconds is the delay of the path, which may
 * jump; clocks need not agree.
 *
 * <p>No clock, thread or socket: the owner calls {@link #wake} at {@link #nextNanos}. For one
 * thread. The caller owns the engine.
 */
final class LiveReceiver implements AutoCloseable {

  /** The time between two reports while packets arrive, and after a gap. */
  private static final long REPORT_NANOS = 10_000_000;

  private static final long MIN_REPORT_NANOS = 2_500_000;

  /** The same once nothing was lost for a time: each report costs two packets of headers. */
  private static final long CALM_REPORT_NANOS = 40_000_000;

  private static final long CALM_NANOS = 2_000_000_000;

  /** The time between two reports while nothing arrives, so that the connection stays open. */
  private static final long IDLE_REPORT_NANOS = 2_000_000_000;

  /**
   * The first time between two reports to which an answer is awaited; then twice the one before.
   */
  private static final long FIRST_RETRY_NANOS = 20_000_000;

  /** The time over which the least delay is that of the path. */
  private static final long PATH_NANOS = 2_000_000_000;

  private static final int MARKS = 1 << 12;
  private static final int SLOTS = 1 << 13;

  private final FlowShape shape;
  private final LiveOutput output;
  private final Optional<Tap> tap;
  private final WindowDecoder decoder;
  private final LossCounter counter = new LossCounter();
  private final WindowedMin offset = new WindowedMin(PATH_NANOS);
  private final Arena arena = Arena.ofShared();
  private final MemorySegment symbol;
  private final MemorySegment report = arena.allocate(LivePacket.REPORT_BYTES);
  private final PacketSink sink = new Sink();
  private final PartJoiner joiner;
  private final PartPool pool;
  private final boolean isOrdered;

  // When sources have to be known: a ring of ends and of their times.
  private final long[] markEnds = new long[MARKS];
  private final long[] markNanos = new long[MARKS];
  private long firstMark;
  private long nextMark;

  /** When each source was added, by this clock without the delay of the path. */
  private final long[] addedNanos = new long[SLOTS];

  /** That time of the source that is delivered now. */
  private long latestNanos;

  private long end;
  private long highestRepair = -1;
  private long now;
  private long deliveredEnd;

  /** When to report; at first at once, since the sender waits for that. */
  private long reportNanos = Long.MIN_VALUE;

  private long retryNanos = FIRST_RETRY_NANOS;
  private long lastReportNanos = Long.MIN_VALUE / 2;
  private int lastDeficit;
  private long lastLost;

  /** When a report last announced a new loss, or of nothing yet. */
  private long lossNanos;

  private final boolean[] isReceived = new boolean[SLOTS];
  private long arrived;
  private long arrivedBytes;
  private long packets;
  private long delivered;
  private long deliveredBytes;
  private long repaired;
  private long late;
  private long residual;
  private long repairs;
  private final DelayCounts delays = new DelayCounts();

  /** Sees what becomes known, such as a relay. */
  interface Tap {
    /** Takes a source that has arrived or is solved, once. */
    void source(long id, MemorySegment source, long nowNanos);

    /** Takes note that the sender does not send the sources {@code first} … {@code end} − 1. */
    void skipped(long first, long end, long nowNanos);
  }

  /**
   * Creates a receiver.
   *
   * @param tap sees what becomes known, if there is one
   */
  LiveReceiver(
      Engine engine, FlowShape shape, Delivery delivery, LiveOutput output, Optional<Tap> tap) {
    this.tap = tap;
    this.shape = shape;
    this.output = output;
    this.decoder =
        WindowDecoder.open(engine, shape.decoderShape(), WindowCode.GF256, delivery, shape.first());
    this.symbol = arena.allocate(decoder.shape().symbolBytes());
    this.isOrdered = delivery == Delivery.IN_ORDER;
    this.joiner = new PartJoiner(this::deliver);
    this.pool = new PartPool(this::deliver);
    this.end = shape.first();
    this.deliveredEnd = shape.first();
  }

  /** Delivers sources. */
  private final class Sink implements PacketSink {
    @Override
    public void packet(long id, MemorySegment source) {
      int slot = slot(id);
      delivered++;
      deliveredBytes += source.byteSize() - 1;
      repaired += isReceived[slot] ? 0 : 1;
      latestNanos = addedNanos[slot];
      delays.add(now - latestNanos);
      isReceived[slot] = false;
      tap.ifPresent(each -> each.source(id, source, now));
      if (isOrdered) {
        deliveredEnd = id + 1;
        joiner.add(source);
      } else {
        pool.add(id, source);
      }
    }

    @Override
    public void gap(long first, long count) {
      residual += count;
      for (long id = Math.max(first, first + count - SLOTS); id < first + count; id++) {
        isReceived[slot(id)] = false;
      }
      deliveredEnd = Math.max(deliveredEnd, first + count);
      joiner.gap();
      output.gap(count);
    }
  }

  private void deliver(MemorySegment packet) {
    packets++;
    output.packet(packet, latestNanos);
  }

  private static int slot(long id) {
    return (int) (id % SLOTS);
  }

  /** Returns the id after the last source before which all are delivered or declared lost. */
  long deliveredEnd() {
    return deliveredEnd;
  }

  /**
   * Receives a source or a repair.
   *
   * @throws MalformedDataException if a value is out of range
   */
  void datagram(MemorySegment datagram, long nowNanos) throws MalformedDataException {
    now = Math.max(now, nowNanos);
    int kind = LivePacket.kind(datagram);
    boolean isNew =
        switch (kind) {
          case LivePacket.SOURCE, LivePacket.LATE -> source(datagram, kind == LivePacket.LATE);
          case LivePacket.REPAIR -> repair(datagram);
          case LivePacket.RECODED -> recoded(datagram);
          case LivePacket.SKIP -> skip(datagram);
          default -> throw new MalformedDataException(0, "a report to a receiver");
        };
    if (isNew) {
      arrived++;
      arrivedBytes += datagram.byteSize();
      retryNanos = FIRST_RETRY_NANOS;
    }
    scheduleReport();
  }

  /** Receives a source. A late one says nothing about the path, so it counts as a repair. */
  private boolean source(MemorySegment datagram, boolean isLate) throws MalformedDataException {
    long id = requireId(LivePacket.extend(LivePacket.number(datagram), end));
    MemorySegment source = LivePacket.source(datagram);
    if (source.byteSize() > shape.sourceBytes()) {
      throw new MalformedDataException(
          LivePacket.SOURCE_HEADER_BYTES,
          "a source of %d bytes; the maximum is %d"
              .formatted(source.byteSize(), shape.sourceBytes()));
    }
    long added = addedNanos(datagram);
    know(id + 1, added);
    if (isLate) {
      repairs++;
      return decoder.source(id, source, sink) == Reception.INNOVATIVE;
    }
    boolean isNew = counter.onSource(id - shape.first(), now);
    if (id >= deliveredEnd) {
      addedNanos[slot(id)] = added;
      isReceived[slot(id)] = true;
    } else if (isNew) {
      late++;
    }
    Reception _ = decoder.source(id, source, sink);
    return isNew;
  }

  private boolean repair(MemorySegment datagram) throws MalformedDataException {
    int count = LivePacket.count(datagram);
    long first = firstOf(datagram, count);
    if (!isNewRepair(datagram, first + count)) {
      return false;
    }
    long number = highestRepair;
    int key = (int) LivePacket.number(datagram) & WindowCode.MAX_KEY;
    copySymbol(datagram, LivePacket.REPAIR_HEADER_BYTES);
    counter.onRepair(number, first + count - shape.first(), now);
    Reception _ = decoder.repair(new Repair(key, first, count), symbol, sink);
    return true;
  }

  private boolean recoded(MemorySegment datagram) throws MalformedDataException {
    int count = LivePacket.count(datagram);
    long first = firstOf(datagram, count);
    int header = LivePacket.REPAIR_HEADER_BYTES + count;
    if (datagram.byteSize() <= header) {
      throw new MalformedDataException(
          datagram.byteSize(), "a recoded symbol without %d coefficients".formatted(count));
    }
    if (!isNewRepair(datagram, first + count)) {
      return false;
    }
    copySymbol(datagram, header);
    counter.onRepair(highestRepair, first + count - shape.first(), now);
    MemorySegment vector = datagram.asSlice(LivePacket.REPAIR_HEADER_BYTES, count);
    Reception _ = decoder.recoded(first, vector, symbol, sink);
    return true;
  }

  /** Gives up sources that are not sent; older ones are as late. */
  private boolean skip(MemorySegment datagram) throws MalformedDataException {
    int count = LivePacket.count(datagram);
    long first = firstOf(datagram, count);
    know(first + count, addedNanos(datagram));
    for (long id = first; id < first + count; id++) {
      boolean _ = counter.onSource(id - shape.first(), now);
    }
    decoder.expire(first + count, sink);
    tap.ifPresent(each -> each.skipped(first, first + count, now));
    return false;
  }

  private long firstOf(MemorySegment repair, int count) throws MalformedDataException {
    if (count > shape.window()) {
      throw new MalformedDataException(
          0, "%d sources in a packet; the window is %d".formatted(count, shape.window()));
    }
    return requireId(LivePacket.extend(LivePacket.first(repair), end));
  }

  private long requireId(long id) throws MalformedDataException {
    if (id < shape.first()) {
      throw new MalformedDataException(
          0, "source %d is before the first, %d".formatted(id, shape.first()));
    }
    return id;
  }

  /** Takes note of a repair; returns false if it came before. */
  private boolean isNewRepair(MemorySegment datagram, long repairEnd) {
    long number = LivePacket.extend(LivePacket.number(datagram), highestRepair + 1);
    if (number < 0) {
      return false;
    }
    highestRepair = Math.max(highestRepair, number);
    repairs++;
    know(repairEnd, addedNanos(datagram));
    return true;
  }

  private void copySymbol(MemorySegment datagram, int at) throws MalformedDataException {
    long bytes = datagram.byteSize() - at;
    if (bytes > symbol.byteSize()) {
      throw new MalformedDataException(
          at, "a symbol of %d bytes; the maximum is %d".formatted(bytes, symbol.byteSize()));
    }
    MemorySegment.copy(datagram, at, symbol, 0, bytes);
    symbol.asSlice(bytes).fill((byte) 0);
  }

  /** Returns when a packet was added, by this clock and without the delay of the path. */
  private long addedNanos(MemorySegment datagram) {
    double delay = offset.min(now);
    long expected = Double.isInfinite(delay) ? now : now - (long) delay;
    long ticks = LivePacket.extend(LivePacket.ticks(datagram), expected / LivePacket.TICK_NANOS);
    long sent = ticks * LivePacket.TICK_NANOS;
    offset.add((double) (now - sent), now);
    return sent + (long) offset.min(now);
  }

  /** Takes note that the sources below an id exist. */
  private void know(long newEnd, long added) {
    if (newEnd <= end) {
      return;
    }
    for (long id = Math.max(end, newEnd - SLOTS); id < newEnd; id++) {
      addedNanos[slot(id)] = added;
      isReceived[slot(id)] = false;
    }
    end = newEnd;
    if (nextMark - firstMark == MARKS) {
      firstMark++;
    }
    int mark = (int) (nextMark++ % MARKS);
    markEnds[mark] = newEnd;
    markNanos[mark] = added + shape.deadlineNanos();
  }

  private void scheduleReport() {
    Acknowledgement acknowledgement = decoder.acknowledgement();
    deliveredEnd = Math.max(deliveredEnd, acknowledgement.firstMissing());
    long wait = acknowledgement.deficit() > lastDeficit ? MIN_REPORT_NANOS : reportIntervalNanos();
    reportNanos = Math.min(reportNanos, Math.max(now, lastReportNanos + wait));
  }

  private long reportIntervalNanos() {
    return lastDeficit == 0 && now - lossNanos > CALM_NANOS ? CALM_REPORT_NANOS : REPORT_NANOS;
  }

  /** Returns the time of the next {@link #wake}; {@link Long#MAX_VALUE} if there is none. */
  long nextNanos() {
    long due = deliveredEnd < end ? markNanos[(int) (firstMark % MARKS)] + 1 : Long.MAX_VALUE;
    return Math.min(firstMark < nextMark ? due : Long.MAX_VALUE, reportNanos);
  }

  /** Declares sources lost whose deadline has passed, and reports if it is time. */
  void wake(long nowNanos) {
    now = Math.max(now, nowNanos);
    long expired = -1;
    while (firstMark < nextMark) {
      int mark = (int) (firstMark % MARKS);
      if (markEnds[mark] > deliveredEnd && markNanos[mark] >= now) {
        break;
      }
      expired = markEnds[mark];
      firstMark++;
    }
    if (expired > deliveredEnd) {
      decoder.expire(expired, sink);
    }
    if (reportNanos <= now) {
      report();
    }
  }

  private void report() {
    Acknowledgement acknowledgement = decoder.acknowledgement();
    long firstMissing = acknowledgement.firstMissing() - shape.first();
    LivePacket.Report next =
        new LivePacket.Report(
            counter.report(firstMissing, acknowledgement.deficit(), now), arrived, arrivedBytes);
    lastDeficit = acknowledgement.deficit();
    lastReportNanos = now;
    if (arrived == 0 || next.report().lost() > lastLost) {
      lossNanos = now;
      lastLost = next.report().lost();
    }
    boolean isDecided = next.report().decidedEnd() > next.report().highest();
    if (arrived == 0 || isDecided && lastDeficit > 0) {
      reportNanos = now + retryNanos;
      retryNanos = Math.min(2 * retryNanos, IDLE_REPORT_NANOS);
    } else {
      reportNanos = now + (isDecided ? IDLE_REPORT_NANOS : reportIntervalNanos());
    }
    output.report(report.asSlice(0, LivePacket.writeReport(report, next)));
  }

  /**
   * Waits for the sources below the end of a flow.
   *
   * @return true if all are delivered or given up
   */
  boolean awaitEnd(long flowEnd, long nowNanos) {
    now = Math.max(now, nowNanos);
    if (flowEnd > end && flowEnd - end <= FlowShape.MAX_WINDOW) {
      know(flowEnd, now);
    }
    wake(nowNanos);
    return deliveredEnd >= end;
  }

  /** Returns the numbers since the start, and delays since the last call. */
  ReceiverStatistics statistics() {
    ReceiverStatistics statistics = glance();
    delays.clear();
    return statistics;
  }

  /** Returns the numbers since the start, and delays since the last {@link #statistics}. */
  ReceiverStatistics glance() {
    return new ReceiverStatistics(
        packets,
        delivered,
        deliveredBytes,
        counter.report(0, 0, now).lost(),
        repaired,
        late,
        residual,
        repairs,
        decoder.damaged(),
        0,
        delays.millis(0.5),
        delays.millis(0.99));
  }

  @Override
  public void close() {
    decoder.close();
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
