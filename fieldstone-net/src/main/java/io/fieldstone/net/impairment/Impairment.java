package io.fieldstone.net.impairment;

/**
 * The limits and the impairments of one direction of a link. Immutable.
 *
 * @param bytesPerSecond the rate at which packets with their IP and UDP headers pass; 0 for no
 *     limit
 * @param queueBytes the bytes that wait for the rate; a packet that does not fit is dropped
 * @param delayNanos the delay of every packet
 * @param jitterNanos a random delay from 0 to this, added without changing the order
 * @param loss which packets are lost at random
 * @param lateness which packets come late, so that later packets overtake them
 * @param duplicated the share of packets that arrive twice
 * @param corrupted the share of packets of which one bit is flipped
 * @param maxBytes the maximum payload of UDP; longer packets are lost without a report, as on a
 *     path that filters ICMP
 */
public record Impairment(
    double bytesPerSecond,
    int queueBytes,
    long delayNanos,
    long jitterNanos,
    Loss loss,
    Lateness lateness,
    double duplicated,
    double corrupted,
    int maxBytes) {
  private static final long DISORDER_NANOS = 1_000_000;

  /** Forwards everything at once. */
  public static final Impairment NONE =
      new Impairment(0, 0, 0, 0, Loss.NONE, Lateness.NONE, 0, 0, Integer.MAX_VALUE);

  /** Checks the ranges. */
  public Impairment {
    if (!(bytesPerSecond >= 0) || Double.isInfinite(bytesPerSecond)) {
      throw new IllegalArgumentException("rate " + bytesPerSecond + ": want at least 0");
    }
    if (queueBytes < 0 || delayNanos < 0 || jitterNanos < 0) {
      throw new IllegalArgumentException(
          "queue of %d bytes, delay of %d ns, jitter of %d ns: want at least 0"
              .formatted(queueBytes, delayNanos, jitterNanos));
    }
    Loss.requireShare("duplicated", duplicated);
    Loss.requireShare("corrupted", corrupted);
  }

  /** Gives the same with a rate in bytes per second and a queue in bytes. */
  public Impairment withRate(double rate, int queue) {
    return new Impairment(
        rate, queue, delayNanos, jitterNanos, loss, lateness, duplicated, corrupted, maxBytes);
  }

  /** Gives the same with another delay and jitter. */
  public Impairment withDelay(long delay, long jitter) {
    return new Impairment(
        bytesPerSecond, queueBytes, delay, jitter, loss, lateness, duplicated, corrupted, maxBytes);
  }

  /** Gives the same with other losses. */
  public Impairment withLoss(Loss value) {
    return new Impairment(
        bytesPerSecond,
        queueBytes,
        delayNanos,
        jitterNanos,
        value,
        lateness,
        duplicated,
        corrupted,
        maxBytes);
  }

  /** Gives the same with a share of the packets late, by a random time. */
  public Impairment withLateness(Lateness value) {
    return new Impairment(
        bytesPerSecond,
        queueBytes,
        delayNanos,
        jitterNanos,
        loss,
        value,
        duplicated,
        corrupted,
        maxBytes);
  }

  /** Gives the same with other shares of packets that are late by 1 ms, repeated and damaged. */
  public Impairment withDisorder(double reorder, double duplicate, double corrupt) {
    return new Impairment(
        bytesPerSecond,
        queueBytes,
        delayNanos,
        jitterNanos,
        loss,
        new Lateness(reorder, DISORDER_NANOS, DISORDER_NANOS),
        duplicate,
        corrupt,
        maxBytes);
  }

  /** Gives the same with another length of the longest packets that pass. */
  public Impairment withMaxBytes(int value) {
    return new Impairment(
        bytesPerSecond,
        queueBytes,
        delayNanos,
        jitterNanos,
        loss,
        lateness,
        duplicated,
        corrupted,
        value);
  }
}
