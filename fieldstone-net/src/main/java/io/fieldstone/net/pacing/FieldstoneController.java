package io.fieldstone.net.pacing;

import java.util.Locale;

/**
 * A controller that random loss does not slow down, and a full queue does.
 *
 * <p>The estimate of the path's capacity is the rate at which packets passed the bottleneck when
 * more was sent than that: seven round trips at the estimate, then one at 1.12. Probes that nothing
 * slows follow each other with a growing gain. Packets pass in order, so the growth of the highest
 * sequence number per time of the receiver is that rate. Random loss of any share does not change
 * it. It is compared with the rate at which the same packets were sent.
 *
 * <p>The least loss and the least round-trip time of the last 10 s are properties of the path. Loss
 * above that, by more than chance explains, or a round-trip time longer by more than it varies
 * anyway, is congestion. Then the estimate falls to what arrived, divided by the share that random
 * loss leaves, and less is sent until the queue is gone. A queue that does not shrink although less
 * is sent belongs to others, who would take all; then the rate is that of CUBIC, whose losses are
 * those above the floor, until the queue is gone.
 *
 * <p>How much the round-trip time varies is the larger one of two measures: the mean change from
 * round to round at a steady rate, and the median second difference from report to report ({@link
 * RttVariation}), in which the slow growth of a queue cancels. So jitter of any size is no queue.
 * Packets that are late are not lost: of the missing ones, as many as were late before may yet
 * arrive ({@link Reordering}).
 *
 * <p>At first the rate doubles every round trip, until a queue grows or less passes than is sent in
 * two round trips. One may be the fault of a host that stood still. Then two thirds are sent, until
 * the queue is empty and the loss of the path without a queue is known.
 */
public final class FieldstoneController implements RateController {
  private static final double CRUISE_GAIN = 1;

  /**
   * The gains are less by these multiples of the standard deviation of the loss of a round: much
   * random loss hides what a queue loses.
   */
  private static final double CRUISE_CAUTION = 0.5;

  private static final double DRAIN_CAUTION = 1.25;
  private static final double MAX_LOSS_DEVIATION = 0.04;
  private static final double PROBE_GAIN = 1.12;

  /** The gains of further probes, each after one that nothing slowed. */
  private static final double[] NEXT_PROBE_GAINS = {PROBE_GAIN, 1.25, 1.5, 2};

  private static final double DRAIN_GAIN = 0.9;

  private static final int CRUISE_ROUND_TRIPS = 7;

  /** The round of draining whose measurements are the first to reflect the lower rate. */
  private static final int DRAIN_SHOWS_ROUND = 2;

  /**
   * The further rounds after which the round-trip time must be down by half of the expected drop.
   */
  private static final int MIN_DRAIN_ROUNDS = 2;

  private static final double DRAINED_SHARE = 0.5;

  /** A throughput below this share of what was sent means that a queue grew, or that it lost. */
  private static final double MAX_KEPT_PACE = 0.97;

  private static final double MIN_KEPT_PACE = 0.85;

  /** A sender that sends less than this share of its rate was held up. */
  private static final double SENT_AS_PACED = 0.9;

  /** The reports in a row that a queue has delayed after which the rate rises no more. */
  private static final int MAX_DELAYED_REPORTS = 2;

  /** One report is not enough for a step down to less than half. */
  private static final double MAX_DECREASE = 0.5;

  /** The least factor of the estimate in a round if a queue stands although the flow kept pace. */
  private static final double QUEUED_SHARE = 0.97;

  private static final long FLOOR_NANOS = 10_000_000_000L;

  private static final long MIN_ROUND_NANOS = 5_000_000;
  private static final long MIN_ROUND_PACKETS = 8;
  private static final long MAX_ROUND_NANOS = 500_000_000;
  private static final long MIN_QUEUE_NANOS = 2_000_000;
  private static final double QUEUE_SHARE = 0.125;

  /** A longer delay counts as a queue for any change by round: 5 ms, or this share of the floor. */
  private static final double MAX_QUEUE_SHARE = 0.25;

  private static final long MIN_MAX_QUEUE_NANOS = 5_000_000;

  /** A shorter delay counts as a queue only if it is more than this multiple of the jitter. */
  private static final double JITTER_MULTIPLE = 4;

  private static final double JITTER_GAIN = 0.125;

  /**
   * A delay counts as a queue only if it is more than this multiple of the variation from report to
   * report, less {@link #HOST_NANOS}.
   */
  private static final double VARIATION_MULTIPLE = 6;

  /** The variation of the delay that busy hosts cause on any path. */
  private static final long HOST_NANOS = 10_000_000;

  /** The maximum change of one round, as a multiple of the delay that counts as a queue. */
  private static final double MAX_JITTER_STEP = 2;

  private static final double UNKNOWN = 0;

  /** A probe that a queue slows takes this part of its gain, so that small flows gain more. */
  private static final double SLOWED_PROBE_SHARE = 0.2;

  private static final double NANOS_PER_SECOND = 1e9;

  private enum Phase {
    START,
    CRUISE,
    PROBE,
    DRAIN,
    SETTLE,
    COMPETE
  }

  private final double minBytesPerSecond;
  private final WindowedMin rttFloor = new WindowedMin(FLOOR_NANOS);
  private final RandomLoss randomLoss = new RandomLoss();
  private final FlowStart start = new FlowStart();
  private final Reordering reordering = new Reordering();

  /** The lost packets when the round began. */
  private long lostBefore;

  private final RttVariation variation = new RttVariation();

  private Phase phase = Phase.START;
  private int phaseRounds;
  private long phaseNanos;
  private int drainRounds;

  /** The probes in a row that nothing slowed. */
  private int probes;

  private double drainRttNanos;
  private double capacity;
  private double rate;

  /** The rate of the round before: its packets arrive in this round. */
  private double rateBefore;

  private Phase phaseBefore = Phase.START;

  private Feedback last = new Feedback(0, 0, 0, 0, -1, 0, 0, 0, true);
  private Feedback roundStart = last;

  private boolean started;
  private boolean saturated = true;

  /** The least of the round: a standing queue, and not a hiccup of a host, raises it. */
  private double roundRttNanos = Double.POSITIVE_INFINITY;

  private double lastRttNanos;

  /** The round-trip time of the last round if it was sent at a steady rate. */
  private double steadyRttNanos = UNKNOWN;

  /** The mean change of the round-trip time from round to round. */
  private double jitterNanos;

  /** The last reports in a row that a queue has delayed. */
  private int delayedReports;

  /** The standard deviation of the share that the path loses in a round. */
  private double lossDeviation;

  /** The rate at which the packets of the round before passed. */
  private double passedRateBefore;

  /** The rate at which they arrived if they waited in a queue; else 0. */
  private double queuedRateBefore;

  private CubicWindow window = new CubicWindow(0, 0);
  private boolean decreased;

  /**
   * Makes a controller.
   *
   * @param firstBytesPerSecond the rate before the first report; ten packets per round trip are
   *     usual
   * @param minBytesPerSecond the least rate, greater than 0
   */
  public FieldstoneController(double firstBytesPerSecond, double minBytesPerSecond) {
    if (!(minBytesPerSecond > 0) || !(firstBytesPerSecond >= minBytesPerSecond)) {
      throw new IllegalArgumentException(
          "rates "
              + firstBytesPerSecond
              + ", "
              + minBytesPerSecond
              + ": want the second above 0 and the first at least as large");
    }
    this.minBytesPerSecond = minBytesPerSecond;
    this.capacity = firstBytesPerSecond;
    this.rate = firstBytesPerSecond;
    this.rateBefore = firstBytesPerSecond;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s capacity %.0f rate %.0f rtt %.2f ms floor %.2f ms random loss %.3f",
        phase,
        capacity,
        rate,
        rttNanos() / 1e6,
        rttFloor.min(last.nowNanos()) / 1e6,
        randomLoss.share(last.nowNanos()));
  }

  @Override
  public double rateBytesPerSecond() {
    return rate;
  }

  @Override
  public void onFeedback(Feedback feedback) {
    if (feedback.highestSequence() < last.highestSequence()
        || feedback.arrivedPackets() < last.arrivedPackets()
        || started && feedback.nowNanos() <= last.nowNanos()) {
      return;
    }
    last = feedback;
    saturated &= feedback.saturated();
    reordering.observe(feedback.missingPackets(), rate, feedback.nowNanos());
    if (feedback.rttNanos() > 0) {
      lastRttNanos = feedback.rttNanos();
      variation.observe(lastRttNanos, feedback.nowNanos());
      rttFloor.add(lastRttNanos, feedback.nowNanos());
      roundRttNanos = Math.min(roundRttNanos, lastRttNanos);
      delayedReports =
          isQueued(lastRttNanos, feedback.nowNanos())
              ? Math.min(delayedReports + 1, MAX_DELAYED_REPORTS)
              : 0;
      if (phase == Phase.START && delayedReports == MAX_DELAYED_REPORTS) {
        // Half a round earlier than the round shows it.
        rate = Math.min(rate, Math.max(capacity, rateBefore));
      }
    }
    if (!started) {
      if (feedback.arrivedPackets() > 0) {
        started = true;
        rate = FlowStart.GAIN * capacity;
        beginRound(feedback);
      }
      return;
    }
    if (feedback.highestSequence() >= roundStart.nextSequence() - 1 && isLongEnough(feedback)) {
      endRound(feedback);
      beginRound(feedback);
    }
  }

  /** Few packets, or a short time on a path whose delay varies, measure no rate. */
  private boolean isLongEnough(Feedback feedback) {
    long nanos = feedback.nowNanos() - roundStart.nowNanos();
    long packets = feedback.highestSequence() - roundStart.highestSequence();
    return nanos >= Math.max(MIN_ROUND_NANOS, JITTER_MULTIPLE * jitterNanos)
        && (packets >= MIN_ROUND_PACKETS || nanos >= MAX_ROUND_NANOS);
  }

  private void beginRound(Feedback feedback) {
    roundStart = feedback;
    lostBefore = reordering.lostPackets();
    saturated = true;
    roundRttNanos = Double.POSITIVE_INFINITY;
  }

  private void endRound(Feedback end) {
    long passed = end.highestSequence() - roundStart.highestSequence();
    long counted = end.arrivedPackets() - roundStart.arrivedPackets();
    // Of the missing packets some are late; of those that arrived some were missing before.
    long lost = reordering.lostPackets() - lostBefore;
    long arrived = Math.max(passed - lost, 1);
    double seconds = (end.arrivalNanos() - roundStart.arrivalNanos()) / NANOS_PER_SECOND;
    if (passed <= 0 || counted <= 0 || seconds <= 0) {
      return;
    }
    double random = randomLoss.share(end.nowNanos());
    double loss = Math.max(0, (double) (passed - arrived) / passed);
    double deviation = RandomLoss.deviation(random, passed);
    lossDeviation = Math.min(deviation, MAX_LOSS_DEVIATION);
    boolean losing = randomLoss.isExceeded(loss, passed, end.nowNanos());
    double passedBytes =
        (double) (end.arrivedBytes() - roundStart.arrivedBytes())
            / counted
            * Math.min((double) passed, arrived / (1 - RandomLoss.MAX_SHARE));
    double sentSeconds = (end.sentNanos() - roundStart.sentNanos()) / NANOS_PER_SECOND;
    double sentRate = sentSeconds > 0 ? passedBytes / sentSeconds : rateBefore;
    // Packets that arrive closer together than they were sent waited in a host, or in a queue.
    double passedRate = Math.min(passedBytes / seconds, sentRate);
    double kept = 1 - Math.max(0, loss - random - deviation);
    boolean queued = isQueued(rttNanos(), end.nowNanos());
    if (queued || delayedReports > 0) {
      randomLoss.observeQueued(loss, passed, end.nowNanos());
    } else if (!losing || phase != Phase.START) {
      capacity *=
          1
              - randomLoss.observe(
                  passed, passed - counted, reordering.latePackets(), losing, end.nowNanos());
    }
    // One low rate may be the fault of a host that stood still.
    double recentRate = Math.max(passedRate, Math.min(passedRateBefore, capacity));
    passedRateBefore = passedRate;
    observeJitter(end.nowNanos());
    step(
        new Round(
            passed,
            arrived,
            sentRate,
            passedRate * arrived / passed,
            passedRate * kept,
            recentRate * kept,
            passedBytes / seconds * kept,
            passedRate * kept >= minKeptPace(seconds) * sentRate,
            losing,
            queued,
            Round.isOverflow(loss, random, deviation)),
        end.nowNanos());
  }

  /**
   * Takes note of how much the round-trip time changes from round to round at a steady rate. A
   * probe changes it, too; and a queue that grows is no jitter, so one round counts for a little
   * only.
   */
  private void observeJitter(long nowNanos) {
    if (phaseBefore != Phase.START && phaseBefore != Phase.CRUISE) {
      steadyRttNanos = UNKNOWN;
      return;
    }
    double rtt = rttNanos();
    if (steadyRttNanos != UNKNOWN) {
      double most = MAX_JITTER_STEP * queueLimitNanos(nowNanos);
      jitterNanos += JITTER_GAIN * (Math.min(Math.abs(rtt - steadyRttNanos), most) - jitterNanos);
    }
    steadyRttNanos = rtt;
  }

  /** Jitter moves the ends of a round, so that its rates are less certain. */
  private double minKeptPace(double seconds) {
    return Math.max(MIN_KEPT_PACE, MAX_KEPT_PACE - jitterNanos / NANOS_PER_SECOND / seconds);
  }

  /** Adapts the rate after a round. */
  private void step(Round round, long nowNanos) {
    boolean probed = phaseBefore == Phase.PROBE;
    boolean settled = phaseBefore == Phase.SETTLE;
    boolean isHostLate = round.sentRate() < SENT_AS_PACED * rateBefore;
    phaseBefore = phase;
    rateBefore = rate;
    if (phase == Phase.START) {
      start(round);
    } else {
      if (phase == Phase.COMPETE) {
        compete(round, nowNanos);
      } else if (phase == Phase.SETTLE) {
        settle(round, settled, nowNanos);
      } else if (saturated) {
        estimate(round, probed, isHostLate);
        advance(round, probed);
      } else {
        // The throughput was limited by the data to send, so it does not measure the path.
        enter(Phase.CRUISE);
      }
      rate = phase == Phase.SETTLE ? start.settlingRate(capacity) : capacity * gain();
    }
    capacity = Math.max(capacity, minBytesPerSecond);
    rate = Math.max(rate, minBytesPerSecond);
  }

  /** Adapts the estimate of the path's capacity. */
  private void estimate(Round round, boolean probed, boolean isHostLate) {
    if (round.losing() || round.queued() && !round.keptPace() && !probed) {
      decrease(round.losing() ? round.throughput() : round.recent());
    } else if (probed && round.keptPace() && isHostLate) {
      // A late host sends a share of any rate, so the rate must rise for what is sent to rise.
      double most = Math.min(capacity * probeGain(), FlowStart.GAIN * round.throughput());
      capacity = Math.max(capacity, most);
    } else if (round.throughput() > capacity) {
      rise(round.throughput(), round.keptPace());
    } else if (round.queued() && !probed) {
      // A queue gives the path as much as it can carry.
      double carried = Math.max(round.arrivalRate(), queuedRateBefore);
      capacity = Math.clamp(carried, QUEUED_SHARE * capacity, capacity);
    }
    queuedRateBefore = round.queued() ? round.arrivalRate() : 0;
  }

  private void decrease(double most) {
    if (most < DRAIN_GAIN * capacity) {
      // The queue could not shrink before, since more was sent than passed.
      drainRounds = 0;
    }
    capacity = Math.max(Math.min(capacity, most), capacity * MAX_DECREASE);
  }

  /** Raises the estimate to what passed, and by less if a queue slowed it. */
  private void rise(double throughput, boolean keptPace) {
    double gain = Math.min(throughput, capacity * probeGain()) - capacity;
    capacity += keptPace ? gain : gain * SLOWED_PROBE_SHARE;
  }

  private void advance(Round round, boolean probed) {
    if (round.losing() || round.queued() || probed && !round.keptPace()) {
      probes = 0;
    }
    if (round.losing() || round.queued()) {
      drain(round);
      return;
    }
    drainRounds = 0;
    if (probed && round.keptPace()) {
      probes = Math.min(probes + 1, NEXT_PROBE_GAINS.length - 1);
      enter(Phase.PROBE);
    } else if (phase == Phase.PROBE || phase == Phase.DRAIN) {
      enter(Phase.CRUISE);
    } else if (last.nowNanos() - phaseNanos
        >= CRUISE_ROUND_TRIPS * Math.max(rttNanos(), MIN_ROUND_NANOS)) {
      // In time, since rounds of few packets take many round trips.
      enter(Phase.PROBE);
    }
  }

  private void start(Round round) {
    if (!saturated) {
      return;
    }
    start.observe(round);
    if (!start.isFull()) {
      capacity = Math.max(capacity, round.throughput());
      rate = FlowStart.nextRate(rate, capacity, delayedReports == MAX_DELAYED_REPORTS);
      return;
    }
    rate = start.fullRate(randomLoss.share(last.nowNanos()));
    if (start.isOver()) {
      capacity = rate;
      enter(Phase.SETTLE);
      rate = start.settlingRate(capacity);
    }
  }

  /** Waits until the queue is empty, and then measures the loss of the path. */
  private void settle(Round round, boolean settled, long nowNanos) {
    if (round.queued()) {
      if (!settled) {
        // A queue gives the path as much as it can carry.
        decrease(Math.max(round.arrivalRate(), round.recent()));
      }
      if (isQueueOfOthers()) {
        beginCompeting();
      }
      return;
    }
    drainRounds = 0;
    if (start.observeSettling(round, settled, nowNanos - phaseNanos)) {
      capacity = Math.min(capacity, start.settle(randomLoss, nowNanos));
      enter(Phase.CRUISE);
    }
  }

  /** Sends less than passes, so that the queue drains; if it does not, others fill it. */
  private void drain(Round round) {
    enter(Phase.DRAIN);
    if (!round.queued()) {
      return;
    }
    if (isQueueOfOthers()) {
      beginCompeting();
    } else if (drainRounds == DRAIN_SHOWS_ROUND && !round.losing() && isDrainEnough()) {
      drainRounds = 0;
      enter(Phase.CRUISE);
    }
  }

  /** Returns true if the round of draining that does not show yet leaves hardly a queue. */
  private boolean isDrainEnough() {
    double floor = rttFloor.min(last.nowNanos());
    double left = rttNanos() - floor - (1 - gain()) * floor;
    return left < DRAINED_SHARE * queueLimitNanos(last.nowNanos());
  }

  /** Returns true if the queue does not shrink as one does that only this sender filled. */
  private boolean isQueueOfOthers() {
    double rtt = rttNanos();
    if (++drainRounds == DRAIN_SHOWS_ROUND) {
      drainRttNanos = rtt;
    }
    int rounds = drainRounds - DRAIN_SHOWS_ROUND;
    return rounds >= MIN_DRAIN_ROUNDS
        && rtt > drainRttNanos * (1 - DRAINED_SHARE * (1 - gain()) * rounds);
  }

  private void beginCompeting() {
    drainRounds = 0;
    double packets = capacity * rttNanos() / NANOS_PER_SECOND / packetBytes();
    window = new CubicWindow(packets, packets);
    enter(Phase.COMPETE);
  }

  /** Shares a queue with senders that fill it. */
  private void compete(Round round, long nowNanos) {
    if (!round.queued() && !round.losing() && ++phaseRounds >= 2) {
      capacity = round.throughput();
      enter(Phase.CRUISE);
      return;
    }
    if (round.queued()) {
      phaseRounds = 0;
    }
    if (round.losing() && !decreased) {
      window.onCongestion();
      decreased = true;
    } else {
      // The round after a decrease shows what was sent before it.
      decreased = false;
      if (saturated && !round.losing()) {
        window.onArrived(round.arrived(), rttNanos(), nowNanos);
      }
    }
    capacity = window.packets() * packetBytes() * NANOS_PER_SECOND / rttNanos();
  }

  private double packetBytes() {
    return (double) last.arrivedBytes() / Math.max(last.arrivedPackets(), 1);
  }

  private void enter(Phase next) {
    if (phase != next) {
      phaseNanos = last.nowNanos();
    }
    phase = next;
    phaseRounds = 0;
  }

  private double gain() {
    return switch (phase) {
      case START -> FlowStart.GAIN;
      case CRUISE -> CRUISE_GAIN - CRUISE_CAUTION * lossDeviation;
      case COMPETE -> 1;
      case PROBE -> probeGain();
      case DRAIN -> DRAIN_GAIN - DRAIN_CAUTION * lossDeviation;
      case SETTLE -> FlowStart.SETTLE_GAIN;
    };
  }

  private double probeGain() {
    return NEXT_PROBE_GAINS[probes];
  }

  private double rttNanos() {
    return Double.isInfinite(roundRttNanos) ? lastRttNanos : roundRttNanos;
  }

  /** Returns true if a round-trip time is that of a packet that waited in a queue. */
  private boolean isQueued(double nanos, long nowNanos) {
    double floor = rttFloor.min(nowNanos);
    return nanos - floor > queueLimitNanos(nowNanos);
  }

  private double queueLimitNanos(long nowNanos) {
    double floor = rttFloor.min(nowNanos);
    double most = Math.max(MIN_MAX_QUEUE_NANOS, floor * MAX_QUEUE_SHARE);
    double least = Math.max(MIN_QUEUE_NANOS, floor * QUEUE_SHARE);
    double byRound = Math.clamp(JITTER_MULTIPLE * jitterNanos, least, Math.max(least, most));
    return Math.max(byRound, VARIATION_MULTIPLE * variation.nanos(nowNanos) - HOST_NANOS);
  }
}
