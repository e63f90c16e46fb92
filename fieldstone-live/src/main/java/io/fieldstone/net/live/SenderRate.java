package io.fieldstone.net.live;

import io.fieldstone.net.pacing.CubicController;
import io.fieldstone.net.pacing.Feedback;
import io.fieldstone.net.pacing.FieldstoneController;
import io.fieldstone.net.pacing.Pacer;
import io.fieldstone.net.pacing.RateController;
import io.fieldstone.rlnc.repair.ReceiverReport;

/**
 * The rate of one sender of live packets. Sources and repairs are paced in one rate, and count in
 * one sequence, so that repairs take no more of a path than its controller allows (RFC 9265). For
 * one thread.
 */
final class SenderRate {

  /** The packets of the first round trip (RFC 9002, Sec. 7.2). */
  private static final int FIRST_PACKETS = 10;

  private static final int PACKET_BYTES = 1400;
  private static final double MIN_BYTES_PER_SECOND = 50_000;

  /** A stream begins with all of its rate, as those of RTP do: a quarter second of less is lost. */
  private static final double FIRST_BYTES_PER_SECOND = 1_250_000;

  /** Timers of a busy host are late by some milliseconds. */
  private static final long BURST_NANOS = 4_000_000;

  private static final int BURST_PACKETS = 10;
  private static final long DEFAULT_RTT_NANOS = 100_000_000;
  private static final int SLOTS = 1 << 14;

  /** The share of what arrives that is sent while a queue is full, so that it becomes shorter. */
  private static final double QUEUED_GAIN = 0.9;

  /** The growth of the rate once it is not. */
  private static final double GROWTH_PER_SECOND = 1.1;

  /** If less than this share arrives, a queue overflows; else a delay has become longer. */
  private static final double KEPT_SHARE = 0.95;

  /** A lower rate that helps raises the share that arrives by this at least. */
  private static final double LEAST_GAIN = 0.03;

  /** The time for which loss that a lower rate did not change is ignored. */
  private static final long IGNORE_NANOS = 10_000_000_000L;

  private static final long MIN_MEASURE_NANOS = 150_000_000;

  /** The rate of a tunnel that no queue bounds: more than one loop sends. */
  private static final double FREE_BYTES_PER_SECOND = 125e6;

  /** The time that measures the rate at which packets arrive from a queue that becomes full. */
  private static final long ARRIVING_NANOS = 50_000_000;

  private static final double NANOS_PER_SECOND = 1e9;

  /** The factor by which a controller raises its first rate with the first report. */
  private static final double START_GAIN = 2;

  /** The time without congestion and without waiting after which no queue bounds a tunnel. */
  private static final long FREE_AFTER_NANOS = 10_000_000_000L;

  private final double maxBytesPerSecond;
  private final boolean mayBeFree;
  private boolean isFree;
  private long boundNanos;
  private RateController controller;
  private final Pacer pacer;

  private final long[] sourceSequence = new long[SLOTS];
  private final long[] sourceNanos = new long[SLOTS];
  private long sources;
  private long nextSequence;

  private boolean isSaturated;
  private double decided;
  private double lost;
  private long decidedSources;
  private long lostSources;
  private long highest = -1;
  private long rttNanos;

  /** The rate while a queue was full, and after it; infinite before. */
  private double queuedRate = Double.POSITIVE_INFINITY;

  /** The latest rate at which packets arrived, and the begin of the next measurement. */
  private double arrivingRate;

  private long arrivingBytes;
  private long arrivingNanos;

  private double rateBeforeDecrease;
  private double keptAtDecrease;
  private long ignoreUntilNanos = Long.MIN_VALUE;
  private long measuredBytes;
  private long measuredSentBytes;
  private long sentBytes;
  private long measuredNanos;

  /**
   * Creates a rate.
   *
   * @param maxBytesPerSecond the maximum; {@link Long#MAX_VALUE} for none
   * @param isCubic true for CUBIC (RFC 9438)
   * @param handshakeRttNanos the round-trip time; 0 if unknown
   */
  SenderRate(long maxBytesPerSecond, boolean isCubic, long handshakeRttNanos) {
    this(maxBytesPerSecond, isCubic, false, handshakeRttNanos);
  }

  private SenderRate(
      long maxBytesPerSecond, boolean isCubic, boolean isTunnel, long handshakeRttNanos) {
    this.maxBytesPerSecond = (double) maxBytesPerSecond;
    this.mayBeFree = isTunnel && !isCubic;
    this.isFree = mayBeFree;
    double rtt = (double) Math.max(1_000_000, handshakeRttNanos);
    double usual = FIRST_PACKETS * PACKET_BYTES * NANOS_PER_SECOND / rtt;
    double first = Math.max(usual, FIRST_BYTES_PER_SECOND);
    this.controller =
        isCubic
            ? new CubicController(first)
            : new FieldstoneController(first, MIN_BYTES_PER_SECOND);
    this.pacer = new Pacer(bytesPerSecond(), BURST_NANOS, BURST_PACKETS * PACKET_BYTES);
    this.rttNanos = handshakeRttNanos > 0 ? handshakeRttNanos : DEFAULT_RTT_NANOS;
  }

  /**
   * Returns the rate of a tunnel. What is inside controls its own rate, so no path is probed: until
   * a queue is full, packets leave as they come (RFC 8085, Sec. 3.1.11). From then on it is a rate
   * as others, until nothing has waited for it for some time. With CUBIC it always is.
   *
   * @param maxBytesPerSecond the maximum; {@link Long#MAX_VALUE} for none
   * @param handshakeRttNanos the round-trip time; 0 if unknown
   */
  static SenderRate ofTunnel(long maxBytesPerSecond, boolean isCubic, long handshakeRttNanos) {
    return new SenderRate(maxBytesPerSecond, isCubic, true, handshakeRttNanos);
  }

  /** Returns the rate in bytes per second. */
  double bytesPerSecond() {
    double path =
        isFree ? FREE_BYTES_PER_SECOND : Math.min(controller.rateBytesPerSecond(), queuedRate);
    return Math.min(path, maxBytesPerSecond);
  }

  /** Bounds the rate of a tunnel while a queue is full, and as long as packets wait after it. */
  private void observeBound(long arrivedBytes, boolean isCongested, long nowNanos) {
    long nanos = nowNanos - arrivingNanos;
    if (nanos >= ARRIVING_NANOS) {
      arrivingRate = (arrivedBytes - arrivingBytes) * NANOS_PER_SECOND / nanos;
      arrivingBytes = arrivedBytes;
      arrivingNanos = nowNanos;
    }
    if (isCongested || !isFree && isSaturated) {
      boundNanos = nowNanos;
    }
    if (isFree && isCongested) {
      isFree = false;
      queuedRate = Math.max(QUEUED_GAIN * arrivingRate, MIN_BYTES_PER_SECOND);
      // The controller knows nothing of the path yet, and doubles its rate with the first report.
      double known = Math.max(FIRST_BYTES_PER_SECOND, arrivingRate / START_GAIN);
      controller = new FieldstoneController(known, MIN_BYTES_PER_SECOND);
    } else if (!isFree && nowNanos - boundNanos > FREE_AFTER_NANOS) {
      isFree = true;
      queuedRate = Double.POSITIVE_INFINITY;
    }
  }

  /**
   * Takes no more than arrives while a queue is full. The controller does not see this where the
   * stream, and not the rate, limits what is sent: alone it lets a queue of 40 kB drop 24 % of a
   * stream of 5 Mbit/s on a path of 4 Mbit/s, and 6 % if it is told of the congestion.
   */
  private void observeQueue(
      long arrivedBytes, boolean isCongested, double lossShare, long nowNanos) {
    long nanos = nowNanos - measuredNanos;
    if (nanos < Math.max(2 * rttNanos, MIN_MEASURE_NANOS)) {
      return;
    }
    double arrivedRate = (arrivedBytes - measuredBytes) * NANOS_PER_SECOND / nanos;
    double sentRate = (sentBytes - measuredSentBytes) * NANOS_PER_SECOND / nanos;
    double kept = sentRate == 0 ? 1 : arrivedRate / sentRate / (1 - lossShare);
    if (!isCongested) {
      queuedRate *= Math.pow(GROWTH_PER_SECOND, nanos / NANOS_PER_SECOND);
      keptAtDecrease = 0;
    } else if (kept < KEPT_SHARE && measuredBytes > 0 && nowNanos >= ignoreUntilNanos) {
      if (kept > keptAtDecrease + LEAST_GAIN) {
        rateBeforeDecrease = bytesPerSecond();
        keptAtDecrease = kept;
        queuedRate = Math.clamp(QUEUED_GAIN * arrivedRate, MIN_BYTES_PER_SECOND, queuedRate);
      } else {
        // The lower rate has lost as much, so the path loses it at any rate.
        queuedRate = rateBeforeDecrease;
        keptAtDecrease = 0;
        ignoreUntilNanos = nowNanos + IGNORE_NANOS;
      }
    }
    measuredSentBytes = sentBytes;
    measuredBytes = arrivedBytes;
    measuredNanos = nowNanos;
  }

  /** Returns the latest round-trip time. */
  long rttNanos() {
    return rttNanos;
  }

  /** Returns the time until a packet may be sent; 0 if it may be sent now. */
  long delayNanos(long nowNanos) {
    long delay = pacer.delayNanos(nowNanos);
    isSaturated |= delay > 0;
    return delay;
  }

  /** Takes note that a source was sent, or skipped if it has no bytes. */
  void onSource(int bytes, long nowNanos) {
    int slot = (int) (sources++ % SLOTS);
    sourceNanos[slot] = nowNanos;
    sourceSequence[slot] = nextSequence;
    onPacket(bytes, nowNanos);
  }

  /** Takes note that another packet was sent. */
  void onPacket(int bytes, long nowNanos) {
    nextSequence++;
    sentBytes += bytes;
    pacer.onSent(bytes, nowNanos);
  }

  /**
   * Takes a report that the policy has accepted.
   *
   * @param isCongested whether a queue of the path is full
   * @param lossShare the share that the path loses without a queue
   */
  void onReport(LivePacket.Report received, boolean isCongested, double lossShare, long nowNanos) {
    ReceiverReport report = received.report();
    if (!isRemembered(report.highest())) {
      return;
    }
    observeLoss(report);
    int slot = (int) (report.highest() % SLOTS);
    long rtt = 0;
    if (report.highest() > highest) {
      highest = report.highest();
      rtt = Math.max(1, nowNanos - sourceNanos[slot] - report.heldNanos());
      rttNanos = rtt;
    }
    observeQueue(received.arrivedBytes(), isCongested, lossShare, nowNanos);
    if (mayBeFree) {
      observeBound(received.arrivedBytes(), isCongested, nowNanos);
    }
    boolean isLimited = isSaturated && controller.rateBytesPerSecond() <= bytesPerSecond();
    isSaturated = false;
    controller.onFeedback(
        new Feedback(
            nowNanos,
            report.arrivalNanos(),
            received.arrived(),
            received.arrivedBytes(),
            sourceSequence[slot],
            (long) decided,
            (long) lost,
            sourceNanos[slot],
            nextSequence,
            rtt,
            isLimited));
    pacer.rate(bytesPerSecond());
  }

  /** Counts losses of sources as losses of all packets between, too: a report has no others. */
  private void observeLoss(ReceiverReport report) {
    long more = report.decidedEnd() - decidedSources;
    if (more <= 0 || !isRemembered(report.decidedEnd() - 1)) {
      return;
    }
    double end = 1.0 + sourceSequence[(int) ((report.decidedEnd() - 1) % SLOTS)];
    double moreLost = (double) (report.lost() - lostSources) / more;
    lost += Math.max(0, end - decided) * moreLost;
    decided = Math.max(decided, end);
    decidedSources = report.decidedEnd();
    lostSources = report.lost();
  }

  private boolean isRemembered(long source) {
    return source >= 0 && source < sources && source >= sources - SLOTS;
  }

  @Override
  public String toString() {
    return controller.toString();
  }
}
