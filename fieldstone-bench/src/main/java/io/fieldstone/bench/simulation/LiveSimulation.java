package io.fieldstone.bench.simulation;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.impairment.Direction;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.rlnc.repair.DeliveryTime;
import io.fieldstone.rlnc.repair.LossCounter;
import io.fieldstone.rlnc.repair.ReceiverReport;
import io.fieldstone.rlnc.repair.RepairPolicy;
import io.fieldstone.rlnc.window.WindowCode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.LongUnaryOperator;

/**
 * A live sender with a {@link RepairPolicy} and its receiver, in virtual time, over two {@link
 * Direction}s of a path. Sources have one length. The receiver reports at once after a gap, else
 * every 10 ms while packets arrive. It knows ranks only, as of an ideal code, unless it is given a
 * code. For one thread.
 */
public final class LiveSimulation implements AutoCloseable {
  /** The maximum number of sources that a repair covers. */
  public static final int WINDOW = 1024;

  /**
   * The bytes of a packet beside its payload, UDP and IP: a short header of QUIC without a
   * connection id, as a client may choose, with 2 bytes of packet number, a byte of frame type and
   * 16 of authentication (RFC 9000), and 5 bytes of a window code.
   */
  public static final int HEADER_BYTES = 25;

  /** The bytes by which a repair is longer than the longest source. */
  private static final int REPAIR_BYTES = 2 + 3;

  private static final int REPORT_BYTES = 48;
  private static final long REPORT_NANOS = 10_000_000;
  private static final long MIN_REPORT_NANOS = 2_500_000;
  private static final int SLOTS = 1 << 15;
  private static final int BIN_NANOS = 100_000;
  private static final int BINS = 50_000;

  private final RepairPolicy policy;
  private final LongUnaryOperator traffic;
  private final long deadlineNanos;
  private final ByteBuffer sourceBytes;
  private final ByteBuffer repairBytes;
  private final ByteBuffer reportBytes = ByteBuffer.allocate(REPORT_BYTES);
  private final int payloadBytes;
  private Impairment forward;
  private final Direction<Packet> there;
  private final Direction<ReceiverReport> back;
  private final PriorityQueue<Action> actions =
      new PriorityQueue<>(Comparator.comparingLong(Action::nanos));

  // Receiver
  private final LossCounter counter = new LossCounter();
  private ReceiverWindow window;
  private final long[] dueNanos = new long[SLOTS];
  private final long[] pathNanos = new long[SLOTS];
  private final boolean[] known = new boolean[SLOTS];
  private long given;
  private long reportNanos = Long.MAX_VALUE;
  private long lastReportNanos = Long.MIN_VALUE / 2;
  private int lastDeficit;

  private long now;
  private long nextSourceNanos;
  private long nextSource;

  // Counts
  private long measuredFrom;
  private long measured;
  private long repairs;
  private long missed;
  private long wireBytes;
  private long lostBefore;
  private long droppedBefore;
  private final long[] delays = new long[BINS];

  /** A packet of the sender: the number of a repair, or -1 for a source; and what it covers. */
  private record Packet(long repair, long first, long end) {}

  private record Action(long nanos, Runnable task) {}

  /**
   * Creates a simulation at time 0.
   *
   * @param deadlineNanos the time that a source may take beside the delay of the path
   * @param payloadBytes the bytes of each source
   * @param traffic gives the time of the next source from that of the last
   * @param forward the path of sources and repairs
   * @param backward the path of reports
   */
  public LiveSimulation(
      long deadlineNanos,
      DeliveryTime delivery,
      int payloadBytes,
      LongUnaryOperator traffic,
      Impairment forward,
      Impairment backward,
      long seed) {
    this.deadlineNanos = deadlineNanos;
    this.policy = new RepairPolicy(deadlineNanos, delivery, WINDOW);
    this.traffic = traffic;
    this.payloadBytes = payloadBytes;
    this.sourceBytes = ByteBuffer.allocate(payloadBytes + HEADER_BYTES);
    this.repairBytes = ByteBuffer.allocate(payloadBytes + HEADER_BYTES + REPAIR_BYTES);
    this.forward = forward;
    this.there = new Direction<>(forward, Direction.UDP_HEADER_BYTES, seed);
    this.back = new Direction<>(backward, Direction.UDP_HEADER_BYTES, seed + 1);
    this.window = new IdealWindow(seed + 2, this::onKnown);
  }

  /**
   * Codes and decodes the bytes of all packets, and checks what is decoded. Call it before the
   * simulation runs, and close the simulation.
   *
   * @param engine must stay open until the simulation is closed
   * @throws IllegalStateException if a source has been sent
   */
  public LiveSimulation withCode(Engine engine, WindowCode code) {
    if (nextSource > 0) {
      throw new IllegalStateException(nextSource + " sources have been sent without a code");
    }
    window.close();
    window = new CodecWindow(engine, code, payloadBytes, this::onKnown);
    return this;
  }

  /** Sends sources at equal intervals. */
  public static LongUnaryOperator every(long nanos) {
    return last -> last + nanos;
  }

  /** The policy of the sender. */
  public RepairPolicy policy() {
    return policy;
  }

  /** Changes the path of sources and repairs from a time on. */
  public LiveSimulation forwardAt(double seconds, Impairment value) {
    return at(
        seconds,
        () -> {
          forward = value;
          there.impair(value);
        });
  }

  /** Runs something at a time. */
  public LiveSimulation at(double seconds, Runnable task) {
    actions.add(new Action((long) (seconds * 1e9), task));
    return this;
  }

  /** Runs until a time, and forgets what was measured before. */
  public LiveSimulation warmUp(double seconds) {
    runTo((long) (seconds * 1e9));
    measuredFrom = nextSource;
    measured = 0;
    repairs = 0;
    missed = 0;
    wireBytes = 0;
    lostBefore = there.counts().lost();
    droppedBefore = there.counts().queueDropped();
    Arrays.fill(delays, 0);
    return this;
  }

  /** Runs until a time and returns what was measured since the warming up. */
  public LiveResult run(double seconds) {
    runTo((long) (seconds * 1e9));
    long sent = nextSource - measuredFrom;
    return new LiveResult(
        measured,
        delivered(),
        repairs,
        missed,
        sent * payloadBytes,
        wireBytes,
        there.counts().lost() - lostBefore,
        there.counts().queueDropped() - droppedBefore,
        percentile(0.5),
        percentile(0.99));
  }

  private long delivered() {
    return Arrays.stream(delays).sum();
  }

  private double percentile(double share) {
    long all = delivered();
    long below = 0;
    for (int bin = 0; bin < BINS; bin++) {
      below += delays[bin];
      if (below >= share * all) {
        return bin * (BIN_NANOS / 1e6);
      }
    }
    return BINS * (BIN_NANOS / 1e6);
  }

  private void runTo(long endNanos) {
    while (true) {
      long next = Math.min(nextSourceNanos, Math.max(policy.nextNanos(), now));
      next = Math.min(next, Math.min(there.nextNanos(), back.nextNanos()));
      next = Math.min(next, reportNanos);
      if (!actions.isEmpty()) {
        next = Math.min(next, actions.peek().nanos());
      }
      if (next > endNanos) {
        now = endNanos;
        return;
      }
      now = Math.max(now, next);
      step();
    }
  }

  private void step() {
    while (!actions.isEmpty() && actions.peek().nanos() <= now) {
      actions.poll().task().run();
    }
    if (nextSourceNanos <= now) {
      sendSource();
      nextSourceNanos = traffic.applyAsLong(nextSourceNanos);
    }
    for (Direction.Waiting<ReceiverReport> report = back.poll(now);
        report != null;
        report = back.poll(now)) {
      policy.onReport(report.target(), now);
    }
    sendRepairs();
    for (Direction.Waiting<Packet> packet = there.poll(now);
        packet != null;
        packet = there.poll(now)) {
      receive(packet.target());
    }
    giveUp();
    if (reportNanos <= now) {
      report();
    }
  }

  private void sendSource() {
    int slot = (int) (nextSource % SLOTS);
    known[slot] = false;
    pathNanos[slot] = now + forward.delayNanos();
    dueNanos[slot] = now + forward.delayNanos() + deadlineNanos;
    offer(sourceBytes, new Packet(-1, nextSource, nextSource + 1));
    policy.onSource(nextSource, now);
    nextSource++;
  }

  private void sendRepairs() {
    while (policy.isDue(now)) {
      long first = policy.first();
      long end = policy.end();
      offer(repairBytes, new Packet(policy.onRepair(now), first, end));
      repairs++;
    }
  }

  private void offer(ByteBuffer bytes, Packet packet) {
    wireBytes += bytes.remaining() + Direction.UDP_HEADER_BYTES;
    there.offer(bytes, packet, now);
  }

  private void receive(Packet packet) {
    if (packet.repair() < 0) {
      if (counter.onSource(packet.first(), now)) {
        window.source(packet.first());
      }
    } else {
      counter.onRepair(packet.repair(), packet.end(), now);
      window.repair(packet.first(), packet.end());
    }
    boolean isGap = window.deficit() > lastDeficit;
    long wait = isGap ? MIN_REPORT_NANOS : REPORT_NANOS;
    reportNanos = Math.min(reportNanos, Math.max(now, lastReportNanos + wait));
  }

  private void onKnown(long source) {
    int slot = (int) (source % SLOTS);
    known[slot] = true;
    if (source >= measuredFrom && now <= dueNanos[slot]) {
      long delay = Math.max(now - pathNanos[slot], 0);
      delays[(int) Math.min(delay / BIN_NANOS, BINS - 1)]++;
    }
  }

  private void giveUp() {
    while (given < nextSource && dueNanos[(int) (given % SLOTS)] < now) {
      if (given >= measuredFrom) {
        measured++;
        missed += known[(int) (given % SLOTS)] ? 0 : 1;
      }
      given++;
    }
    window.expire(given);
  }

  private void report() {
    ReceiverReport report = counter.report(window.firstMissing(), window.deficit(), now);
    lastDeficit = window.deficit();
    lastReportNanos = now;
    boolean isDecided = report.decidedEnd() > report.highest();
    reportNanos = isDecided ? Long.MAX_VALUE : now + REPORT_NANOS;
    back.offer(reportBytes, report, now);
  }

  /** Frees the memory of the code, if one was given. Idempotent. */
  @Override
  public void close() {
    window.close();
  }
}
