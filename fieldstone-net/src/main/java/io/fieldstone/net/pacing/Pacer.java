package io.fieldstone.net.pacing;

/**
 * Spaces packets by a rate: a token bucket that may go into debt by one batch. Credit for at most
 * {@code burstNanos} is kept, so that a timer that fires late costs no throughput.
 */
public final class Pacer {
  private static final double NANOS_PER_SECOND = 1e9;

  private final long burstNanos;
  private final double minBurstBytes;
  private double bytesPerSecond;
  private double batchBytes;
  private boolean isWaiting;
  private double creditBytes;
  private long lastNanos;
  private boolean started;

  /**
   * Makes a pacer.
   *
   * @param bytesPerSecond the first rate, greater than 0
   * @param burstNanos the time for which unused credit is kept
   * @param minBurstBytes credit that is kept at any rate, a few packets
   */
  public Pacer(double bytesPerSecond, long burstNanos, int minBurstBytes) {
    if (burstNanos < 0 || minBurstBytes < 0) {
      throw new IllegalArgumentException(
          "burst of " + burstNanos + " ns, " + minBurstBytes + " bytes: want at least 0");
    }
    this.burstNanos = burstNanos;
    this.minBurstBytes = minBurstBytes;
    rate(bytesPerSecond);
  }

  /** Sets the rate in bytes per second, from the last call with a time on. */
  public void rate(double value) {
    if (!(value > 0)) {
      throw new IllegalArgumentException("rate " + value + " bytes per second: want more than 0");
    }
    bytesPerSecond = value;
  }

  /**
   * Sets the bytes that are saved for after each wait, so that fewer and larger batches are sent. A
   * batch is at most the credit that is kept. 0, as at first, sends each packet when it is due.
   */
  public void batch(double bytes) {
    if (!(bytes >= 0)) {
      throw new IllegalArgumentException("batch of " + bytes + " bytes: want at least 0");
    }
    batchBytes = bytes;
  }

  /** How long to wait until something may be sent, in nanoseconds; 0 if it may be sent now. */
  public long delayNanos(long nowNanos) {
    advance(nowNanos);
    isWaiting |= creditBytes <= 0;
    double missing = Math.min(batchBytes, capBytes()) - creditBytes;
    if (creditBytes > 0 && (!isWaiting || missing <= 0)) {
      isWaiting = false;
      return 0;
    }
    return Math.max(1, (long) Math.ceil(missing * NANOS_PER_SECOND / bytesPerSecond));
  }

  /** Takes note that packets were sent, whose bytes are paid for before the next. */
  public void onSent(long bytes, long nowNanos) {
    advance(nowNanos);
    creditBytes -= bytes;
  }

  private void advance(long nowNanos) {
    if (started) {
      long elapsed = Math.max(nowNanos - lastNanos, 0);
      creditBytes = Math.min(capBytes(), creditBytes + elapsed * bytesPerSecond / NANOS_PER_SECOND);
    } else {
      started = true;
      creditBytes = minBurstBytes;
    }
    lastNanos = nowNanos;
    if (creditBytes == 0) {
      // Just paid for: a positive credit says that sending is allowed.
      creditBytes = Math.ulp(1.0);
    }
  }

  private double capBytes() {
    return Math.max(bytesPerSecond * burstNanos / NANOS_PER_SECOND, minBurstBytes);
  }
}
