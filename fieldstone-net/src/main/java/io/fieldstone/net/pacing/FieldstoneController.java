package io.fieldstone.net.pacing;

import java.util.Locale;

/**
 * Chooses the rate of a sender by the reports of its receiver. Controllers that take each loss for
 * congestion, as TCP's do, are slow on a path that loses packets at random, such as a radio link.
 * This one keeps its rate under random loss. It lowers the rate when a queue grows or overflows.
 *
 * <p><b>Rounds.</b> A round ends with the first report on a packet that was sent after the round
 * began, so it takes about one round-trip time. It measures four things:
 *
 * <ul>
 *   <li>the rate at which its packets were sent;
 *   <li>the throughput: the rate at which they passed the slowest link. Packets pass a link in
 *       order, so this is the growth of the highest sequence number per time of the receiver. Loss
 *       does not change it;
 *   <li>the share of packets that were lost;
 *   <li>the least round-trip time.
 * </ul>
 *
 * <p><b>Model of the path.</b> Three estimates describe it:
 *
 * <ul>
 *   <li>the capacity: the throughput of the slowest link, in bytes per second;
 *   <li>the floor: the least round-trip time of the last 10 s, which is that of an empty queue;
 *   <li>the random loss: the least share lost in the last 10 s ({@link RandomLoss}).
 * </ul>
 *
 * <p><b>Congestion</b> is more loss than random loss and chance explain. So is a round-trip time
 * that is above the floor by more than it varies without a queue. That variation is the larger one
 * of two measures. The jitter is the mean change from round to round at a steady rate. {@link
 * RttVariation} is the median second difference from report to report, in which the slow growth of
 * a queue cancels. Packets that others overtake are late and not lost: the receiver tells the two
 * apart ({@link Feedback}).
 *
 * <p><b>Phases.</b> The rate is the capacity times a gain, which depends on the phase:
 *
 * <ul>
 *   <li>START doubles the rate each round, until the path is full in two rounds in a row. One may
 *       be the fault of a host that stood still ({@link FlowStart}).
 *   <li>SETTLE sends two thirds, until the queue is empty and the random loss is measured.
 *   <li>CRUISE sends at the capacity for seven round trips.
 *   <li>PROBE sends an eighth more for one round. If the throughput follows, the capacity is raised
 *       and the next probe is larger, up to twice the capacity.
 *   <li>DRAIN follows congestion: it sends a tenth less until the queue is gone.
 *   <li>COMPETE follows a drain in which the queue did not shrink. Others fill that queue and would
 *       take all of the path. So the rate is that of CUBIC (RFC 9438), until the queue is gone.
 * </ul>
 *
 * <p>After congestion the capacity falls to the throughput of the round. A queue without loss gives
 * the slowest link as much as it can carry, so then the rate of arrival is the capacity.
 */
public final class FieldstoneController implements RateController {

  private static final double NANOS_PER_SECOND = 1e9;

  /** The value of a time that is not known yet. */
  private static final double UNKNOWN = 0;

  // Rounds

  /** The minimum length of a round: shorter ones measure the timers of hosts. */
  private static final long MIN_ROUND_NANOS = 5_000_000;

  /** The minimum packets of a round that is shorter than {@link #MAX_ROUND_NANOS}. */
  private static final long MIN_ROUND_PACKETS = 8;

  private static final long MAX_ROUND_NANOS = 500_000_000;

  // Gains: the rate as a multiple of the capacity

  private static final double CRUISE_GAIN = 1;
  private static final double DRAIN_GAIN = 0.9;

  /** The gains of probes that follow each other, each after one that nothing slowed. */
  private static final double[] PROBE_GAINS = {1.12, 1.25, 1.5, 2};

  /**
   * Random loss hides what a queue loses. So these multiples of its standard deviation in a round
   * are subtracted from the gain.
   */
  private static final double CRUISE_CAUTION = 0.5;

  private static final double DRAIN_CAUTION = 1.25;

  /** The maximum standard deviation that is subtracted. */
  private static final double MAX_LOSS_DEVIATION = 0.04;

  /** The round trips between two probes. */
  private static final int CRUISE_ROUND_TRIPS = 7;

  // Changes of the capacity

  /** A probe that a queue slows raises the capacity by this part of its gain. */
  private static final double SLOWED_PROBE_SHARE = 0.2;

  /** The least factor of one step down: one round is not proof enough for more. */
  private static final double MAX_DECREASE = 0.5;

  /** The least factor in a round with a queue that did not grow. */
  private static final double QUEUED_SHARE = 0.97;

  /**
   * A throughput below this share of the rate of sending means that a queue grew. Jitter lowers the
   * share down to {@link #MIN_KEPT_PACE}.
   */
  private static final double MAX_KEPT_PACE = 0.97;

  private static final double MIN_KEPT_PACE = 0.85;

  // Queues

  /** The time for which the least round-trip time counts. */
  private static final long FLOOR_NANOS = 10_000_000_000L;

  /** The minimum delay that counts as a queue: 2 ms, or this share of the floor. */
  private static final double MIN_QUEUE_SHARE = 0.125;

  private static final long MIN_QUEUE_NANOS = 2_000_000;

  /** The delay that counts as a queue for any jitter by round: 5 ms, or this share of the floor. */
  private static final double MAX_QUEUE_SHARE = 0.25;

  private static final long MIN_MAX_QUEUE_NANOS = 5_000_000;

  /** Between the two, a delay counts as a queue above this multiple of the jitter. */
  private static final double JITTER_MULTIPLE = 4;

  /** The weight of one round in the jitter. */
  private static final double JITTER_GAIN = 0.125;

  /** The maximum change of one round, as a multiple of the delay that counts as a queue. */
  private static final double MAX_JITTER_STEP = 2;

  /**
   * A delay counts as a queue only above this multiple of the variation from report to report, less
   * {@link #HOST_NANOS}.
   */
  private static final double VARIATION_MULTIPLE = 6;

  /** The variation of the delay that busy hosts cause on any path. */
  private static final long HOST_NANOS = 10_000_000;

  /** The reports in a row that a queue has delayed after which the rate rises no more. */
  private static final int MAX_DELAYED_REPORTS = 2;

  // Drains

  /** The round of a drain whose measurements are the first to reflect the lower rate. */
  private static final int DRAIN_SHOWS_ROUND = 2;

  /** The further rounds after which the queue of this sender alone must have shrunk. */
  private static final int MIN_DRAIN_ROUNDS = 2;

  /** The part of the expected drop by which the round-trip time must be down then. */
  private static final double DRAINED_SHARE = 0.5;

  /** What the sender does; see the class. */
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
  private final RttVariation variation = new RttVariation();

  private Phase phase = Phase.START;
  private int phaseRounds;
  private long phaseNanos;
  private int drainRounds;

  /** The first packet that was sent after the capacity fell. */
  private long decreaseSequence;

  /** The first packet that is sent in the phase {@link Phase#SETTLE}. */
  private long settleSequence;

  /** The probes in a row that nothing slowed. */
  private int probes;

  private double drainRttNanos;
  private double capacity;
  private double rate;

  /** The rate of the round before: its packets arrive in this round. */
  private double rateBefore;

  private Phase phaseBefore = Phase.START;

  private Feedback last = Feedback.NONE;
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
    saturated = true;
    roundRttNanos = Double.POSITIVE_INFINITY;
  }

  private void endRound(Feedback end) {
    long passed = end.highestSequence() - roundStart.highestSequence();
    long counted = end.arrivedPackets() - roundStart.arrivedPackets();
    // Of other packets it is not known yet whether they are late or lost.
    long known = end.decidedEnd() - roundStart.decidedEnd();
    long lost = Math.clamp(end.lostPackets() - roundStart.lostPackets(), 0, Math.max(known, 0));
    double loss = known <= 0 ? 0 : (double) lost / known;
    double random = randomLoss.share(end.nowNanos());
    if (end.decidedEnd() <= end.highestSequence() && roundStart.decidedEnd() < decreaseSequence) {
      // The loss of packets that were sent before the rate fell, which is decided late.
      loss = Math.min(loss, random);
    }
    long arrived = Math.max(Math.round(passed * (1 - loss)), 1);
    double seconds = (end.arrivalNanos() - roundStart.arrivalNanos()) / NANOS_PER_SECOND;
    if (passed <= 0 || counted <= 0 || seconds <= 0) {
      return;
    }
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
    // Chance that may explain a loss does not prove that the path carries more.
    double carriedRate = passedRate * Math.min(1, (1 - loss) / (1 - random));
    boolean queued = isQueued(rttNanos(), end.nowNanos());
    if (queued || delayedReports > 0) {
      randomLoss.observeQueued(loss, passed, end.nowNanos());
    } else if (!losing || phase != Phase.START) {
      capacity *= 1 - randomLoss.observe(known, lost, losing, end.nowNanos());
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
            carriedRate,
            recentRate * kept,
            passedBytes / seconds * kept,
            passedRate * kept >= minKeptPace(seconds) * sentRate,
            carriedRate >= minKeptPace(seconds) * sentRate,
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
        estimate(round, probed);
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
  private void estimate(Round round, boolean probed) {
    if (round.losing() || round.queued() && !round.keptPace() && !probed) {
      decrease(round.losing() ? round.throughput() : round.recent());
    } else if (round.carriedRate() > capacity) {
      rise(round.carriedRate(), round.keptPace());
    } else if (round.queued() && !probed) {
      // A queue gives the path as much as it can carry.
      double carried = Math.max(round.arrivalRate(), queuedRateBefore);
      capacity = Math.clamp(carried, QUEUED_SHARE * capacity, capacity);
    }
    queuedRateBefore = round.queued() ? round.arrivalRate() : 0;
  }

  private void decrease(double most) {
    decreaseSequence = last.nextSequence();
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
    if (round.losing() || round.queued() || probed && !round.carried()) {
      probes = 0;
    }
    if (round.losing() || round.queued()) {
      drain(round);
      return;
    }
    drainRounds = 0;
    if (probed && round.carried()) {
      probes = Math.min(probes + 1, PROBE_GAINS.length - 1);
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
    // Before, it is the loss of packets that were sent faster.
    boolean isKnown = settled && roundStart.decidedEnd() >= settleSequence;
    if (start.observeSettling(round, isKnown, nowNanos - phaseNanos)) {
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
      if (next == Phase.SETTLE) {
        settleSequence = last.nextSequence();
      }
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
    return PROBE_GAINS[probes];
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
    double least = Math.max(MIN_QUEUE_NANOS, floor * MIN_QUEUE_SHARE);
    double byRound = Math.clamp(JITTER_MULTIPLE * jitterNanos, least, Math.max(least, most));
    return Math.max(byRound, VARIATION_MULTIPLE * variation.nanos(nowNanos) - HOST_NANOS);
  }
}
