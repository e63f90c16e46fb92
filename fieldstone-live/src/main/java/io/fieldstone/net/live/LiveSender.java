package io.fieldstone.net.live;

import io.fieldstone.rlnc.repair.DeliveryTime;
import io.fieldstone.rlnc.repair.ReceiverReport;
import io.fieldstone.rlnc.repair.RepairPolicy;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Sends the sources of a window to one receiver, with the repairs that its path needs. It begins
 * with the first report of the receiver. Sources leave at once, as far as the rate of the path
 * allows. Those that have waited for the deadline are skipped, as those that the sender before this
 * one has skipped. While sources wait, no repair is sent: it would only make them wait longer.
 *
 * <p>No clock, thread or socket: the owner calls {@link #pump} after each event and at the time
 * that it returns. For one thread. The owner owns the window.
 */
final class LiveSender implements AutoCloseable {

  /** The datagrams that the carrier may hold: a longer queue would add delay. */
  private static final int MAX_BACKLOG = 24;

  private static final long BACKLOG_POLL_NANOS = 500_000;

  /** The interval at which the MTU of the path is polled. */
  private static final long MTU_NANOS = 100_000_000;

  /** The time after the start within which the discovery of the MTU ends; and between two tries. */
  private static final long MTU_DISCOVERY_NANOS = 2_000_000_000;

  private static final long MTU_POLL_NANOS = 10_000_000;

  /** The maximum number of packets in one turn, so that all connections get turns. */
  private static final int MAX_BURST = 64;

  /** The time after a skipped source for which no repairs are sent. */
  private static final long OVERLOAD_NANOS = 500_000_000;

  private final LiveWindow window;
  private final LivePath path;
  private final SenderRate rate;
  private final RepairPolicy policy;
  private final long deadlineNanos;
  private final long base;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment packet;

  /** The next source to send. */
  private long next;

  /** The sources that have become known after their turn. */
  private final Deque<Long> late = new ArrayDeque<>();

  /** The sources that were not known in their turn, and on which no report has decided yet. */
  private final Deque<Long> unsent = new ArrayDeque<>();

  /** The others, the runs that they make, and the last of them. */
  private long unsentDecided;

  private long unsentRuns;
  private long lastUnsent = -1;

  /** The bytes of a packet that the carrier has not accepted yet; 0 if there is none. */
  private int heldBytes;

  /** Whether the receiver has reported: before, it may not know of the flow. */
  private boolean isStarted;

  /** When the first packet could be sent; 0 before. */
  private long startedNanos;

  private long mtuNanos = Long.MIN_VALUE / 2;
  private long overloadedNanos;
  private boolean wasOverloaded;

  private long packets;
  private long sources;
  private long sourceBytes;
  private long repairs;
  private long repairBytes;
  private long skipped;
  private long unsendable;
  private long ignoredReports;

  /**
   * Creates a sender.
   *
   * @param shape what was announced to the receiver: its first source is the first that is sent
   * @param delivery when the receiver delivers
   */
  LiveSender(
      LiveWindow window, FlowShape shape, DeliveryTime delivery, LivePath path, SenderRate rate) {
    this.window = window;
    this.path = path;
    this.rate = rate;
    this.base = shape.first();
    this.next = base;
    this.deadlineNanos = shape.deadlineNanos();
    this.policy = new RepairPolicy(deadlineNanos, delivery, shape.window());
    this.packet = arena.allocate(packetBytes(shape));
  }

  private static int packetBytes(FlowShape shape) {
    return LivePacket.REPAIR_HEADER_BYTES
        + LivePacket.FRAMING_BYTES
        + shape.sourceBytes()
        + shape.window();
  }

  /** Returns the maximum bytes of a source whose repairs fit the path now, its flags included. */
  int maxSourceBytes(long nowNanos) {
    refreshMtu(nowNanos);
    return maxSourceBytes(path.maxDatagramBytes());
  }

  private void refreshMtu(long nowNanos) {
    if (nowNanos - mtuNanos > MTU_NANOS) {
      mtuNanos = nowNanos;
      path.refresh();
    }
  }

  /** Returns the maximum bytes of a source whose repairs fit a datagram, its flags included. */
  static int maxSourceBytes(int maxDatagramBytes) {
    return maxDatagramBytes - LivePacket.REPAIR_HEADER_BYTES - LivePacket.FRAMING_BYTES;
  }

  /** Returns the first source that may still be repaired, or is not sent. */
  long firstWanted() {
    return Math.min(next, base + policy.firstWanted());
  }

  /** Returns the sources that wait to be sent. */
  long waiting() {
    return window.end() - next;
  }

  /** Returns the time for which the oldest source that waits has waited; 0 if none does. */
  long waitNanos(long nowNanos) {
    return next < window.end() && next >= window.first()
        ? Math.max(0, nowNanos - window.addedNanos(next))
        : 0;
  }

  /**
   * Takes a report of the receiver.
   *
   * @throws MalformedDataException if a value is out of range
   */
  void onReport(MemorySegment datagram, long nowNanos) throws MalformedDataException {
    LivePacket.Report received = LivePacket.report(datagram);
    isStarted = true;
    ReceiverReport report = ofPath(received.report());
    if (policy.onReport(report, nowNanos)) {
      rate.onReport(
          new LivePacket.Report(report, received.arrived(), received.arrivedBytes()),
          policy.isCongested(),
          policy.lossShare(),
          nowNanos);
    } else {
      ignoredReports++;
    }
  }

  /** Takes from a report what the window lacks or lacked itself: the path has not lost that. */
  private ReceiverReport ofPath(ReceiverReport report) {
    long end = base + Math.min(report.decidedEnd(), next - base);
    while (!unsent.isEmpty() && unsent.getFirst() < end) {
      long id = unsent.remove();
      unsentDecided++;
      unsentRuns += id == lastUnsent + 1 ? 0 : 1;
      lastUnsent = id;
    }
    int lacking = window.lacking(base + report.firstMissing(), end);
    return report.without(unsentDecided, unsentRuns, lacking);
  }

  /** Sends a source that has become known after those behind it, such as one that was solved. */
  void addLate(long id) {
    if (id >= base && id < next) {
      late.add(id);
    }
  }

  /**
   * Sends what may be sent now.
   *
   * @return the time of the next call without an event; {@link Long#MAX_VALUE} if there is none
   */
  long pump(long nowNanos) {
    if (!isStarted) {
      return Long.MAX_VALUE;
    }
    refreshMtu(nowNanos);
    startedNanos = startedNanos == 0 ? nowNanos : startedNanos;
    long skippedBefore = skipped;
    int sent = 0;
    long backlog = path.backlog();
    long wait = isHeld() ? BACKLOG_POLL_NANOS : 0;
    while (next < window.end() && wait == 0) {
      boolean isLate = next < window.first() || nowNanos - window.addedNanos(next) > deadlineNanos;
      if (isLate || window.isSkipped(next)) {
        skip(isLate, nowNanos);
        continue;
      }
      if (skipped > skippedBefore) {
        sendSkip(skipped - skippedBefore, nowNanos);
        skippedBefore = skipped;
      }
      wait = sent == MAX_BURST ? 1 : waitNanos(backlog + sent, nowNanos);
      wait = isTooLargeYet(nowNanos) ? MTU_POLL_NANOS : wait;
      if (wait == 0) {
        sent += sendSource(nowNanos);
        wait = heldBytes > 0 ? BACKLOG_POLL_NANOS : 0;
      }
    }
    if (skipped > skippedBefore) {
      sendSkip(skipped - skippedBefore, nowNanos); // none of those behind them is left to send
      sent++;
    }
    while (wait == 0 && !late.isEmpty()) {
      wait = sent == MAX_BURST ? 1 : waitNanos(backlog + sent, nowNanos);
      if (wait == 0) {
        sent += sendLate(late.remove(), nowNanos);
        wait = heldBytes > 0 ? BACKLOG_POLL_NANOS : 0;
      }
    }
    boolean isOverloaded =
        next < window.end() || wasOverloaded && nowNanos - overloadedNanos < OVERLOAD_NANOS;
    while (!isOverloaded && wait == 0 && policy.isDue(nowNanos)) {
      wait = sent == MAX_BURST ? 1 : waitNanos(backlog + sent, nowNanos);
      if (wait == 0) {
        sent += sendRepair(nowNanos);
        wait = heldBytes > 0 ? BACKLOG_POLL_NANOS : 0;
      }
    }
    if (sent > 0) {
      path.flush();
    }
    if (wait > 0) {
      return nowNanos + wait;
    }
    return isOverloaded ? overloadedNanos + OVERLOAD_NANOS : policy.nextNanos();
  }

  /** Tests whether the next source does not fit the path, which may prove to carry it soon. */
  private boolean isTooLargeYet(long nowNanos) {
    return nowNanos - startedNanos < MTU_DISCOVERY_NANOS
        && window
            .source(next)
            .filter(
                each -> each.byteSize() + LivePacket.SOURCE_HEADER_BYTES > path.maxDatagramBytes())
            .isPresent();
  }

  /** Returns the time until the rate and the carrier take a packet; 0 if they take it now. */
  private long waitNanos(long backlog, long nowNanos) {
    return backlog > MAX_BACKLOG ? BACKLOG_POLL_NANOS : rate.delayNanos(nowNanos);
  }

  private void skip(boolean isOverload, long nowNanos) {
    rate.onSource(0, nowNanos);
    policy.onSource(next - base, nowNanos);
    next++;
    skipped++;
    if (isOverload) {
      overloadedNanos = nowNanos;
      wasOverloaded = true;
    }
  }

  /**
   * Notifies the receiver that the latest sources are not sent, so that they do not count as lost.
   */
  private void sendSkip(long sources, long nowNanos) {
    int count = (int) Math.min(sources, window.shape().window());
    LivePacket.writeRepairHeader(packet, LivePacket.SKIP, nowNanos, 0, next - count, count);
    boolean _ = path.send(packet.asSlice(0, LivePacket.REPAIR_HEADER_BYTES));
  }

  private int sendSource(long nowNanos) {
    Optional<MemorySegment> source = window.source(next);
    int bytes = 0;
    if (source.isPresent()) {
      bytes =
          send(
              LivePacket.writeSource(
                  packet, LivePacket.SOURCE, window.addedNanos(next), next, source.get()));
    } else {
      unsent.add(next);
    }
    rate.onSource(bytes, nowNanos);
    policy.onSource(next - base, nowNanos);
    next++;
    packets += bytes > 0 && LivePacket.isLastPart(source.get()) ? 1 : 0;
    sources++;
    sourceBytes += bytes;
    return bytes == 0 ? 0 : 1;
  }

  /** Sends a source that was not known in its turn; it counts as a repair. */
  private int sendLate(long id, long nowNanos) {
    Optional<MemorySegment> source = id < firstWanted() ? Optional.empty() : window.source(id);
    if (source.isEmpty()) {
      return 0;
    }
    int bytes =
        LivePacket.writeSource(packet, LivePacket.LATE, window.addedNanos(id), id, source.get());
    packets += LivePacket.isLastPart(source.get()) ? 1 : 0;
    return countRepair(send(bytes), nowNanos);
  }

  private int sendRepair(long nowNanos) {
    long first = base + policy.first();
    long end = base + policy.end();
    long number = policy.onRepair(nowNanos);
    MemorySegment room = packet.asSlice(0, Math.min(packet.byteSize(), path.maxDatagramBytes()));
    return countRepair(send(window.repair(number, first, end, nowNanos, room)), nowNanos);
  }

  private int countRepair(int bytes, long nowNanos) {
    rate.onPacket(bytes, nowNanos);
    repairs += bytes == 0 ? 0 : 1;
    repairBytes += bytes;
    return bytes == 0 ? 0 : 1;
  }

  /** Sends the packet that was written, or holds it; returns 0 if the path does not carry it. */
  private int send(int bytes) {
    if (bytes == 0 || bytes > path.maxDatagramBytes()) {
      unsendable++;
      return 0;
    }
    heldBytes = bytes;
    boolean _ = isHeld();
    return bytes;
  }

  /** Sends the packet that is held; returns true if the carrier does not take it yet. */
  private boolean isHeld() {
    if (heldBytes > path.maxDatagramBytes()) {
      unsendable++;
      heldBytes = 0;
    }
    if (heldBytes > 0 && path.send(packet.asSlice(0, heldBytes))) {
      heldBytes = 0;
    }
    return heldBytes > 0;
  }

  /** Returns the numbers since the start. */
  SenderStatistics statistics() {
    return new SenderStatistics(
        1,
        packets,
        sources,
        sourceBytes,
        repairs,
        repairBytes,
        skipped,
        unsendable,
        ignoredReports,
        policy.lossShare(),
        policy.redundancy(),
        policy.isCongested(),
        rate.rttNanos(),
        rate.bytesPerSecond());
  }

  @Override
  public String toString() {
    return policy + "; " + rate;
  }

  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
