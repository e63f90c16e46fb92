package io.fieldstone.net.pacing;

/**
 * A controller that random loss does not slow down, and a full queue does.
 *
 * <p>The estimate of the path's capacity is the rate at which packets passed the bottleneck when
 * more was sent than that: seven round trips at 0.98 of the estimate, then one at 1.12. Packets
 * pass in order, so the growth of the highest sequence number per time of the receiver is that
 * rate, whatever share of them is lost at random.
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
  private static final double DRAIN_GAIN = 0.85;
  private static final double START_GAIN = 2;
  private static final int CRUISE_ROUNDS = 7;
  private static final int MAX_DRAIN_ROUNDS = 8;

  /** A throughput below this share of what was sent means that a queue grew, or that it lost. */
  private static final double KEPT_PACE = 0.97;

  /** One report is not enough for a step down to less than half. */
  private static final double MAX_DECREASE = 0.5;

  private static final long FLOOR_NANOS = 10_000_000_000L;
  private static final long LOSS_WINDOW_NANOS = 1_000_000_000L;
  private static final long MIN_LOSS_PACKETS = 100;
  private static final long MIN_ROUND_NANOS = 5_000_000;
  private static final long MIN_QUEUE_NANOS = 2_000_000;
  private static final double QUEUE_SHARE = 0.125;
  private static final double LOSS_DEVIATIONS = 3;
  private static final double LOSS_TOLERANCE = 0.01;

  /** A probe that a queue slows takes this part of its gain, so that small flows gain more. */
  private static final double SLOWED_PROBE_SHARE = 0.25;
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
  private double capacity;
  private double rate;

  /** What was sent in the round before this one is what arrives in this one. */
  private double rateBefore;

  private Phase phaseBefore = Phase.START;

  private Feedback last = new Feedback(0, 0, 0, 0, -1, 0, 0, true);
  private Feedback roundStart = last;
  private Feedback lossStart = last;
  private boolean started;
  private boolean saturated = true;
  private double rttSum;
  private int rttSamples;
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
  public double rateBytesPerSecond() {
    return rate;
  }

  @Override
  public void onFeedback(Feedback feedback) {
    if (feedback.highestSequence() < last.highestSequence()
        || feedback.arrivedPackets() < last.arrivedPackets()
        || started && feedback.reportNanos() <= last.reportNanos()) {
      return;
    }
    last = feedback;
    saturated &= feedback.saturated();
    if (feedback.rttNanos() > 0) {
      lastRttNanos = feedback.rttNanos();
      rttFloor.add(lastRttNanos, feedback.nowNanos());
      rttSum += lastRttNanos;
      rttSamples++;
    }
    if (!started) {
      if (feedback.arrivedPackets() > 0) {
        started = true;
        lossStart = feedback;
        beginRound(feedback);
      }
      return;
    }
    if (feedback.highestSequence() >= roundStart.nextSequence() - 1
        && feedback.reportNanos() - roundStart.reportNanos() >= MIN_ROUND_NANOS) {
      endRound(feedback);
      beginRound(feedback);
    }
  }

  private void beginRound(Feedback feedback) {
    roundStart = feedback;
    saturated = true;
    rttSum = 0;
    rttSamples = 0;
  }

  private void endRound(Feedback end) {
    long passed = end.highestSequence() - roundStart.highestSequence();
    long arrived = end.arrivedPackets() - roundStart.arrivedPackets();
    double seconds = (end.reportNanos() - roundStart.reportNanos()) / NANOS_PER_SECOND;
    if (passed <= 0 || arrived <= 0) {
      return;
    }
    double floor = lossFloor(end);
    double loss = Math.max(0, (double) (passed - arrived) / passed);
    double deviation = deviation(floor, passed);
    boolean losing = loss > floor + LOSS_DEVIATIONS * deviation + LOSS_TOLERANCE;
    double passedRate =
        (end.arrivedBytes() - roundStart.arrivedBytes()) / seconds * passed / arrived;
    double throughput = passedRate * (1 - Math.max(0, loss - floor - 2 * deviation));
    double persistent = persistentLoss(end);
    if (persistent > 0) {
      capacity *= 1 - persistent;
    }
    step(arrived, throughput, losing, end.nowNanos());
  }

  private void step(long arrived, double throughput, boolean losing, long nowNanos) {
    Phase measured = phaseBefore;
    double sentRate = rateBefore;
    phaseBefore = phase;
    rateBefore = rate;
    boolean keptPace = throughput >= KEPT_PACE * sentRate;
    boolean queued = queueNanos(nowNanos) > queueLimitNanos(nowNanos);
    if (phase == Phase.START) {
      start(throughput, losing || queued || throughput < 0.75 * sentRate);
    } else if (phase == Phase.COMPETE) {
      compete(arrived, throughput, losing, queued, nowNanos);
    } else if (!saturated) {
      // What arrived says how much was there to send, and nothing of the path.
      enter(Phase.CRUISE);
    } else if (losing || queued) {
      if (losing || !keptPace) {
        capacity = Math.max(Math.min(capacity, throughput), capacity * MAX_DECREASE);
      }
      drain(queued);
    } else {
      drainRounds = 0;
      if (measured == Phase.PROBE) {
        probed(throughput, keptPace);
      } else if (phase == Phase.PROBE || phase == Phase.DRAIN) {
        enter(Phase.CRUISE);
      } else if (++phaseRounds >= CRUISE_ROUNDS) {
        enter(Phase.PROBE);
      }
    }
    capacity = Math.max(capacity, minBytesPerSecond);
    rate = Math.max(capacity * gain(), minBytesPerSecond);
  }

  private void probed(double throughput, boolean keptPace) {
    double gain = Math.min(throughput, capacity * PROBE_GAIN) - capacity;
    capacity += keptPace || gain < 0 ? gain : gain * SLOWED_PROBE_SHARE;
    enter(keptPace ? Phase.PROBE : Phase.CRUISE);
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
    if (queued && ++drainRounds > MAX_DRAIN_ROUNDS) {
      drainRounds = 0;
      double packets = capacity * meanRttNanos() / NANOS_PER_SECOND / packetBytes();
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
        window.onArrived(arrived, meanRttNanos(), nowNanos);
      }
    }
    capacity = window.packets() * packetBytes() * NANOS_PER_SECOND / meanRttNanos();
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
      case PROBE -> PROBE_GAIN;
      case DRAIN -> DRAIN_GAIN;
    };
  }

  private double meanRttNanos() {
    return rttSamples == 0 ? lastRttNanos : rttSum / rttSamples;
  }

  private double queueNanos(long nowNanos) {
    double floor = rttFloor.min(nowNanos);
    return Double.isInfinite(floor) ? 0 : meanRttNanos() - floor;
  }

  private double queueLimitNanos(long nowNanos) {
    return Math.max(MIN_QUEUE_NANOS, rttFloor.min(nowNanos) * QUEUE_SHARE);
  }

  /** The standard deviation of the share of {@code packets} that are lost with this probability. */
  private static double deviation(double probability, long packets) {
    return Math.sqrt(Math.max(probability * (1 - probability), 1.0 / packets) / packets);
  }

  private double lossFloor(Feedback now) {
    double floor = lossFloor.min(now.nowNanos());
    return Double.isInfinite(floor) ? lossOf(lossStart, now) : floor;
  }

  /** Ends a window of the loss floor; gives its loss above the floor, beyond chance. */
  private double persistentLoss(Feedback now) {
    long packets = now.highestSequence() - lossStart.highestSequence();
    if (now.nowNanos() - lossStart.nowNanos() < LOSS_WINDOW_NANOS || packets < MIN_LOSS_PACKETS) {
      return 0;
    }
    double loss = lossOf(lossStart, now);
    lossStart = now;
    lossFloor.add(loss, now.nowNanos());
    double floor = lossFloor.min(now.nowNanos());
    return Math.max(0, loss - floor - LOSS_DEVIATIONS * deviation(floor, packets));
  }

  private static double lossOf(Feedback from, Feedback to) {
    long packets = to.highestSequence() - from.highestSequence();
    long missing = to.missingPackets() - from.missingPackets();
    return packets <= 0 ? 0 : Math.clamp((double) missing / packets, 0, 0.95);
  }
}
