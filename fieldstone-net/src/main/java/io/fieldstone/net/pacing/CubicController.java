package io.fieldstone.net.pacing;

/**
 * CUBIC (RFC 9438): every loss is congestion. The window over the round-trip time gives the rate.
 * Losses within one round trip are one congestion event.
 */
public final class CubicController implements RateController {
  private static final double INITIAL_PACKETS = 10;
  private static final double NANOS_PER_SECOND = 1e9;

  /** Packets this far below the highest number are lost, not late (RFC 9002, section 6.1.1). */
  private static final int REORDERING = 3;

  private final double firstBytesPerSecond;
  private final CubicWindow window = new CubicWindow(INITIAL_PACKETS, Double.POSITIVE_INFINITY);
  private long recoveryEnd = -1;
  private long lostPackets;
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
    long missing = feedback.highestSequence() + 1 - REORDERING - feedback.arrivedPackets();
    boolean losing = missing > lostPackets;
    lostPackets = Math.max(lostPackets, missing);
    last = feedback;
    if (feedback.highestSequence() <= recoveryEnd) {
      return;
    }
    if (losing) {
      recoveryEnd = feedback.nextSequence() - 1;
      window.onCongestion();
    } else if (feedback.saturated()) {
      window.onArrived(arrived, smoothedRttNanos, feedback.nowNanos());
    }
  }
}
