package io.fieldstone.net.impairment;

/**
 * How late some packets of a link come, so that others overtake them.
 *
 * @param share the share of packets that are late, 0 … 1
 * @param minNanos the minimum by which they are late, in nanoseconds
 * @param maxNanos the maximum; all values between are as likely
 */
public record Lateness(double share, long minNanos, long maxNanos) {

  /** No packet is late. */
  public static final Lateness NONE = new Lateness(0, 0, 0);

  /** Checks the ranges. */
  public Lateness {
    Loss.requireShare("late", share);
    if (minNanos < 0 || maxNanos < minNanos) {
      throw new IllegalArgumentException(
          "late by %d…%d ns: want 0 ≤ minimum ≤ maximum".formatted(minNanos, maxNanos));
    }
  }
}
