package io.fieldstone.net.pacing;

/**
 * CUBIC (RFC 9438): every loss is congestion. The window over the round-trip time gives the rate.
 * Losses within one round trip are one congestion event. Late packets are not lost.
 */
public final class CubicController implements RateController {
  private static final double INITIAL_PACKETS = 10;
  private static final double NANOS_PER_SECOND = 1e9;

  private final double firstBytesPerSecond;
  private final CubicWindow window = new CubicWindow(INITIAL_PACKETS, Double.POSITIVE_INFINITY);
  private long recoveryEnd = -1;

  /** The most lost packets so far; the first few may be late (RFC 9002, section 6.1.1). */
  private long lostPackets = 3;

  private double smoothedRttNanos;
  private double packetBytes = 1;
  private Feedback last = Feedback.NONE;

  /**
   * Makes a controller.
   *
   * @param firstBytesPerSecond the rate before the first report, greater than 0
   */
  public CubicController(double firstBytesPerSecond) {
    if (!(firstBytesPerSecond > 0)) {
      throw new IllegalArgumentException(
          "rate " + firstBytesPerSecond + " bytes per second: want more than 0");
    }
    this.firstBytesPerSecond = firstBytesPerSecond;
  }

  @Override
  public double rateBytesPerSecond() {
    return smoothedRttNanos == 0
        ? firstBytesPerSecond
        : window.packets() * packetBytes * NANOS_PER_SECOND / smoothedRttNanos;
  }

  @Override
  public void onFeedback(Feedback feedback) {
    if (feedback.highestSequence() < last.highestSequence()
        || feedback.arrivedPackets() < last.arrivedPackets()) {
      return;
    }
    if (feedback.rttNanos() > 0) {
      smoothedRttNanos =
          smoothedRttNanos == 0
              ? feedback.rttNanos()
              : smoothedRttNanos + (feedback.rttNanos() - smoothedRttNanos) / 8;
    }
    if (feedback.arrivedPackets() > 0) {
      packetBytes = (double) feedback.arrivedBytes() / feedback.arrivedPackets();
    }
    long arrived = feedback.arrivedPackets() - last.arrivedPackets();
    boolean isOfPast = feedback.decidedEnd() <= recoveryEnd + 1;
    boolean losing = feedback.lostPackets() > lostPackets && !isOfPast;
    boolean isLate = feedback.decidedEnd() <= feedback.highestSequence();
    // Without late packets, all that is missing counts as lost: it may arrive before the next
    // report.
    lostPackets = isLate ? feedback.lostPackets() : Math.max(lostPackets, feedback.lostPackets());
    last = feedback;
    if (losing) {
      recoveryEnd = feedback.nextSequence() - 1;
      window.onCongestion();
    } else if (feedback.saturated() && feedback.highestSequence() > recoveryEnd) {
      window.onArrived(arrived, smoothedRttNanos, feedback.nowNanos());
    }
  }
}
