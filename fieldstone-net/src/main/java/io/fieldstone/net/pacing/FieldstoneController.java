package io.fieldstone.net.pacing;

import java.util.Locale;

/**
 * A controller that random loss does not slow down, and a full queue does.
 *
 * <p>The estimate of the path's capacity is the rate at which packets passed the bottleneck when
 * more was sent than that: seven round trips at 0.98 of the estimate, then one at 1.12. Probes that
 * nothing slows follow each other with a growing gain. Packets pass in order, so the growth of the
 * highest sequence number per time of the receiver is that rate. Random loss of any share does not
 * change it. It is compared with the rate at which the same packets were sent.
 *
 * <p>The least loss and the least round-trip time of the last 10 s are properties of the path. Loss
 * above that, by more than chance explains, or a longer round-trip time, is congestion. Then the
 * estimate falls to what arrived, divided by the share that random loss leaves. A queue that does
 * not shrink although less is sent belongs to others, who would take all; then the rate is that of
 * CUBIC, whose losses are those above the floor, until the queue is gone.
 *
 * <p>At first the rate doubles every round trip, until the queue grows.
 */
public final class FieldstoneController implements RateController {
  private static final double CRUISE_GAIN = 0.98;
  private static final double PROBE_GAIN = 1.12;

  /** The gains of further probes, each after one that nothing slowed. */
  private static final double[] NEXT_PROBE_GAINS = {PROBE_GAIN, 1.25, 1.5, 2};

  private static final double DRAIN_GAIN = 0.85;
  private static final double START_GAIN = 2;
  private static final int CRUISE_ROUNDS = 7;

  /** The round of draining whose measurements are the first to reflect the lower rate. */
  private static final int DRAIN_SHOWS_ROUND = 2;

  /**
   * The further rounds after which the round-trip time must be down by half of the expected drop.
   */
  private static final int MIN_DRAIN_ROUNDS = 2;

  private static final double DRAINED_SHARE = 0.5;

  /** A throughput below this share of what was sent means that a queue grew, or that it lost. */
  private static final double KEPT_PACE = 0.97;

  /** A sender that sends less than this share of its rate was held up. */
  private static final double SENT_AS_PACED = 0.9;

  /** The start ends at a throughput below this share of what was sent, with and without a queue. */
  private static final double QUEUED_START_PACE = 0.85;

  private static final double START_PACE = 0.75;

  /** One report is not enough for a step down to less than half. */
  private static final double MAX_DECREASE = 0.5;

  /** The factor of the estimate if a queue stands although the flow kept pace. */
  private static final double QUEUED_SHARE = 0.97;

  private static final long FLOOR_NANOS = 10_000_000_000L;
  private static final long LOSS_WINDOW_NANOS = 1_000_000_000L;
  private static final long MIN_LOSS_PACKETS = 100;
  private static final int MAX_LOSING_ROUNDS = 4;
  private static final double MAX_LOSS = 0.95;
  private static final long MIN_ROUND_NANOS = 5_000_000;
  private static final long MIN_START_PACKETS = 32;
  private static final long MAX_START_NANOS = 500_000_000;
  private static final long MIN_QUEUE_NANOS = 2_000_000;
  private static final double QUEUE_SHARE = 0.125;
  private static final double LOSS_DEVIATIONS = 4;
  private static final double LOSS_TOLERANCE = 0.01;

  /** A probe that a queue slows takes this part of its gain, so that small flows gain more. */
  private static final double SLOWED_PROBE_SHARE = 0.2;

  private static final double NANOS_PER_SECOND = 1e9;

  private enum Phase {
    START,
    CRUISE,
    PROBE,
    DRAIN,
    COMPETE
  }

  private final double minBytesPerSecond;
  private final WindowedMin rttFloor = new WindowedMin(FLOOR_NANOS);
  private final WindowedMin lossFloor = new WindowedMin(FLOOR_NANOS);

  private Phase phase = Phase.START;
  private int phaseRounds;
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
  private long lossPackets;
  private long losses;
  private long lossNanos;
  private int losingRounds;
  private boolean started;
  private boolean saturated = true;

  /** The least of the round: a standing queue, and not a hiccup of a host, raises it. */
  private double roundRttNanos = Double.POSITIVE_INFINITY;

  private double lastRttNanos;
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
        "%s capacity %.0f rate %.0f rtt %.2f ms floor %.2f ms loss floor %.3f",
        phase,
        capacity,
        rate,
        rttNanos() / 1e6,
        rttFloor.min(last.nowNanos()) / 1e6,
        lossFloor.min(last.nowNanos()));
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
      rttFloor.add(lastRttNanos, feedback.nowNanos());
      roundRttNanos = Math.min(roundRttNanos, lastRttNanos);
    }
    if (!started) {
      if (feedback.arrivedPackets() > 0) {
        started = true;
        beginRound(feedback);
      }
      return;
    }
    if (feedback.highestSequence() >= roundStart.nextSequence() - 1 && isLongEnough(feedback)) {
      endRound(feedback);
      beginRound(feedback);
    }
  }

  /** At the start a host is busiest, and a wrong estimate lasts. */
  private boolean isLongEnough(Feedback feedback) {
    long nanos = feedback.nowNanos() - roundStart.nowNanos();
    long packets = feedback.highestSequence() - roundStart.highestSequence();
    return nanos >= MIN_ROUND_NANOS
        && (phase != Phase.START || packets >= MIN_START_PACKETS || nanos >= MAX_START_NANOS);
  }

  private void beginRound(Feedback feedback) {
    roundStart = feedback;
    saturated = true;
    roundRttNanos = Double.POSITIVE_INFINITY;
  }

  private void endRound(Feedback end) {
    long passed = end.highestSequence() - roundStart.highestSequence();
    long arrived = end.arrivedPackets() - roundStart.arrivedPackets();
    double seconds = (end.arrivalNanos() - roundStart.arrivalNanos()) / NANOS_PER_SECOND;
    if (passed <= 0 || arrived <= 0 || seconds <= 0) {
      return;
    }
    double floor = lossFloor(end.nowNanos());
    double loss = Math.max(0, (double) (passed - arrived) / passed);
    double deviation = deviation(floor, passed);
    boolean losing = loss > floor + LOSS_DEVIATIONS * deviation + LOSS_TOLERANCE;
    double passedBytes =
        (double) (end.arrivedBytes() - roundStart.arrivedBytes()) * passed / arrived;
    double sentSeconds = (end.sentNanos() - roundStart.sentNanos()) / NANOS_PER_SECOND;
    double sentRate = sentSeconds > 0 ? passedBytes / sentSeconds : rateBefore;
    // Packets that arrive closer together than they were sent waited in a host.
    double passedRate = Math.min(passedBytes / seconds, sentRate);
    double throughput = passedRate * (1 - Math.max(0, loss - floor - 2 * deviation));
    boolean queued = queueNanos(end.nowNanos()) > queueLimitNanos(end.nowNanos());
    if (!queued) {
      observeLoss(passed, passed - arrived, losing, end.nowNanos());
    }
    step(arrived, throughput, sentRate, losing, queued, end.nowNanos());
  }

  /**
   * Adapts the rate after a round.
   *
   * @param arrived the packets that arrived
   * @param throughput the rate at which the packets of this round passed
   * @param sentRate the rate at which the same packets were sent; a busy host is late
   */
  private void step(
      long arrived,
      double throughput,
      double sentRate,
      boolean losing,
      boolean queued,
      long nowNanos) {
    boolean probed = phaseBefore == Phase.PROBE;
    boolean isHostLate = sentRate < SENT_AS_PACED * rateBefore;
    phaseBefore = phase;
    rateBefore = rate;
    boolean keptPace = throughput >= KEPT_PACE * sentRate;
    if (phase == Phase.START) {
      start(throughput, throughput < (queued ? QUEUED_START_PACE : START_PACE) * sentRate);
    } else if (phase == Phase.COMPETE) {
      compete(arrived, throughput, losing, queued, nowNanos);
    } else if (!saturated) {
      // The throughput was limited by the data to send, so it does not measure the path.
      enter(Phase.CRUISE);
    } else {
      if (losing || queued && !keptPace && !probed) {
        capacity = Math.max(Math.min(capacity, throughput), capacity * MAX_DECREASE);
      } else if (probed && keptPace && isHostLate) {
        // A late host sends a share of any rate, so the rate must rise for what is sent to rise.
        double most = Math.min(capacity * probeGain(), START_GAIN * throughput);
        capacity = Math.max(capacity, most);
      } else if (throughput > capacity) {
        rise(throughput, keptPace);
      } else if (queued && !probed && drainRounds == 0) {
        capacity *= QUEUED_SHARE;
      }
      if (losing || queued || probed && !keptPace) {
        probes = 0;
      }
      if (losing || queued) {
        drain(queued);
      } else {
        drainRounds = 0;
        advance(probed && keptPace);
      }
    }
    capacity = Math.max(capacity, minBytesPerSecond);
    rate = Math.max(capacity * gain(), minBytesPerSecond);
  }

  /** Raises the estimate to what passed, and by less if a queue slowed it. */
  private void rise(double throughput, boolean keptPace) {
    double gain = Math.min(throughput, capacity * probeGain()) - capacity;
    capacity += keptPace ? gain : gain * SLOWED_PROBE_SHARE;
  }

  private void advance(boolean rising) {
    if (rising) {
      probes = Math.min(probes + 1, NEXT_PROBE_GAINS.length - 1);
      enter(Phase.PROBE);
    } else if (phase == Phase.PROBE || phase == Phase.DRAIN) {
      enter(Phase.CRUISE);
    } else if (++phaseRounds >= CRUISE_ROUNDS) {
      enter(Phase.PROBE);
    }
  }

  private void start(double throughput, boolean full) {
    if (!saturated) {
      return;
    }
    if (full) {
      capacity = Math.min(throughput, rateBefore);
      enter(Phase.DRAIN);
    } else {
      capacity = Math.max(capacity, throughput);
    }
  }

  /** Sends less than passes, so that the queue drains; if it does not, others fill it. */
  private void drain(boolean queued) {
    enter(Phase.DRAIN);
    if (!queued) {
      return;
    }
    double rtt = rttNanos();
    if (++drainRounds == DRAIN_SHOWS_ROUND) {
      drainRttNanos = rtt;
    }
    int rounds = drainRounds - DRAIN_SHOWS_ROUND;
    if (rounds >= MIN_DRAIN_ROUNDS
        && rtt > drainRttNanos * (1 - DRAINED_SHARE * (1 - DRAIN_GAIN) * rounds)) {
      drainRounds = 0;
      double packets = capacity * rttNanos() / NANOS_PER_SECOND / packetBytes();
      window = new CubicWindow(packets, packets);
      enter(Phase.COMPETE);
    }
  }

  /** Shares a queue with senders that fill it. */
  private void compete(
      long arrived, double throughput, boolean losing, boolean queued, long nowNanos) {
    if (!queued && !losing && ++phaseRounds >= 2) {
      capacity = throughput;
      enter(Phase.CRUISE);
      return;
    }
    if (queued) {
      phaseRounds = 0;
    }
    if (losing && !decreased) {
      window.onCongestion();
      decreased = true;
    } else {
      // The round after a decrease shows what was sent before it.
      decreased = false;
      if (saturated && !losing) {
        window.onArrived(arrived, rttNanos(), nowNanos);
      }
    }
    capacity = window.packets() * packetBytes() * NANOS_PER_SECOND / rttNanos();
  }

  private double packetBytes() {
    return (double) last.arrivedBytes() / Math.max(last.arrivedPackets(), 1);
  }

  private void enter(Phase next) {
    phase = next;
    phaseRounds = 0;
  }

  private double gain() {
    return switch (phase) {
      case START -> START_GAIN;
      case CRUISE -> CRUISE_GAIN;
      case COMPETE -> 1;
      case PROBE -> probeGain();
      case DRAIN -> DRAIN_GAIN;
    };
  }

  private double probeGain() {
    return NEXT_PROBE_GAINS[probes];
  }

  private double rttNanos() {
    return Double.isInfinite(roundRttNanos) ? lastRttNanos : roundRttNanos;
  }

  private double queueNanos(long nowNanos) {
    double floor = rttFloor.min(nowNanos);
    return Double.isInfinite(floor) ? 0 : rttNanos() - floor;
  }

  private double queueLimitNanos(long nowNanos) {
    return Math.max(MIN_QUEUE_NANOS, rttFloor.min(nowNanos) * QUEUE_SHARE);
  }

  /** The standard deviation of the share of {@code packets} that are lost with this probability. */
  private static double deviation(double probability, long packets) {
    return Math.sqrt(Math.max(probability * (1 - probability), 1.0 / packets) / packets);
  }

  /** Takes note of the loss of a round without a queue. */
  private void observeLoss(long packets, long lost, boolean losing, long nowNanos) {
    if (losing && ++losingRounds > MAX_LOSING_ROUNDS) {
      // Less was sent and as much is lost: the path's own loss has grown.
      lossFloor.reset();
      lossFloor.add(Math.max(0, (double) lost / packets), nowNanos);
      losingRounds = 0;
      lossPackets = 0;
      losses = 0;
      return;
    }
    if (!losing) {
      losingRounds = 0;
    }
    if (lossPackets == 0) {
      lossNanos = nowNanos;
    }
    lossPackets += packets;
    losses += lost;
    if (nowNanos - lossNanos >= LOSS_WINDOW_NANOS && lossPackets >= MIN_LOSS_PACKETS) {
      double loss = lossShare();
      lossFloor.add(loss, nowNanos);
      double floor = lossFloor.min(nowNanos);
      // Loss that is too small to show in one round.
      capacity *= 1 - Math.max(0, loss - floor - LOSS_DEVIATIONS * deviation(floor, lossPackets));
      lossPackets = 0;
      losses = 0;
    }
  }

  /** The path's own loss, as far as it is known. */
  private double lossFloor(long nowNanos) {
    double floor = lossFloor.min(nowNanos);
    return Double.isInfinite(floor) ? lossShare() : floor;
  }

  private double lossShare() {
    return lossPackets == 0 ? 0 : Math.clamp((double) losses / lossPackets, 0, MAX_LOSS);
  }
}
