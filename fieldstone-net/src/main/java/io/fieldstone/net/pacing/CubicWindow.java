package io.fieldstone.net.pacing;

/** The congestion window of CUBIC (RFC 9438), in packets. */
final class CubicWindow {
  /** RFC 9438, section 4.1: the constants C and beta. */
  private static final double SCALE = 0.4;

  private static final double DECREASE = 0.7;
  private static final double MIN_PACKETS = 2;
  private static final double NANOS_PER_SECOND = 1e9;

  private double packets;
  private double threshold;
  private double max;
  private double renoEstimate;
  private long epochNanos;
  private boolean inEpoch;

  /**
   * Makes a window.
   *
   * @param packets the first size
   * @param threshold below this size the window grows by one packet for each that arrives
   */
  CubicWindow(double packets, double threshold) {
    this.packets = Math.max(packets, MIN_PACKETS);
    this.threshold = threshold;
    this.max = Double.isInfinite(threshold) ? 0 : this.packets;
  }

  double packets() {
    return packets;
  }

  /** Decreases the window; to be called once per round trip. */
  void onCongestion() {
    // Fast convergence, section 4.7.
    max = packets < max ? packets * (1 + DECREASE) / 2 : packets;
    packets = Math.max(packets * DECREASE, MIN_PACKETS);
    threshold = packets;
    inEpoch = false;
  }

  /** Grows the window by packets that arrived. */
  void onArrived(long arrived, double rttNanos, long nowNanos) {
    if (packets < threshold) {
      packets += arrived;
      return;
    }
    if (!inEpoch) {
      inEpoch = true;
      epochNanos = nowNanos;
      renoEstimate = packets;
      max = Math.max(max, packets);
    }
    double seconds = (nowNanos - epochNanos + rttNanos) / NANOS_PER_SECOND;
    double plateauSeconds = Math.cbrt((max - Math.min(threshold, max)) / SCALE);
    double sincePlateau = seconds - plateauSeconds;
    double target = SCALE * sincePlateau * sincePlateau * sincePlateau + max;
    target = Math.clamp(target, packets, 1.5 * packets);
    // The Reno-friendly region, section 4.3.
    double alpha = renoEstimate < max ? 3 * (1 - DECREASE) / (1 + DECREASE) : 1;
    renoEstimate += alpha * arrived / packets;
    packets += (target - packets) / packets * arrived;
    packets = Math.max(packets, renoEstimate);
  }
}
