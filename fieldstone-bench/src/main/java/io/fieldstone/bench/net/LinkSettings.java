package io.fieldstone.bench.net;

import java.util.Locale;

/**
 * One direction of a link.
 *
 * @param bitsPerSecond rate of the transmitter; 0 for no limit
 * @param delayNanos time from the end of a packet's transmission to its arrival
 * @param queueBytes bytes that may wait or be in transmission; more are dropped
 * @param loss mean share of transmitted packets that never arrive, from 0 up to but not 1
 * @param burstPackets mean length of a run of lost packets; 1 for independent losses
 */
record LinkSettings(
    long bitsPerSecond, long delayNanos, int queueBytes, double loss, double burstPackets) {

  /** A link without any limit. */
  static final LinkSettings PERFECT = new LinkSettings(0, 0, Integer.MAX_VALUE, 0, 1);

  LinkSettings {
    if (bitsPerSecond < 0 || delayNanos < 0 || queueBytes < 1) {
      throw new IllegalArgumentException(
          "rate %d and delay %d must not be negative, queue %d must be positive"
              .formatted(bitsPerSecond, delayNanos, queueBytes));
    }
    if (!(loss >= 0 && loss < 1) || !(burstPackets >= 1)) {
      throw new IllegalArgumentException(
          "loss %s must be in [0, 1) and the burst %s at least 1".formatted(loss, burstPackets));
    }
  }

  /** Returns a link with a rate, a delay and a queue that loses nothing at random. */
  static LinkSettings of(double megabitsPerSecond, double delayMillis, int queueBytes) {
    return new LinkSettings(
        Math.round(megabitsPerSecond * 1e6), Math.round(delayMillis * 1e6), queueBytes, 0, 1);
  }

  /** Returns the same link with independent losses. */
  LinkSettings withLoss(double share) {
    return new LinkSettings(bitsPerSecond, delayNanos, queueBytes, share, 1);
  }

  /** Returns the same link with losses in bursts of a mean length. */
  LinkSettings withBursts(double share, double packets) {
    return new LinkSettings(bitsPerSecond, delayNanos, queueBytes, share, packets);
  }

  /** Parses the form of {@link #toString}. */
  static LinkSettings parse(String text) {
    String[] parts = text.split("/", -1);
    if (parts.length != 5) {
      throw new IllegalArgumentException("'%s' has no 5 fields".formatted(text));
    }
    return new LinkSettings(
        Long.parseLong(parts[0]),
        Long.parseLong(parts[1]),
        Integer.parseInt(parts[2]),
        Double.parseDouble(parts[3]),
        Double.parseDouble(parts[4]));
  }

  /** Returns all fields in their order, with {@code /} between them. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%d/%d/%d/%s/%s", bitsPerSecond, delayNanos, queueBytes, loss, burstPackets);
  }
}
