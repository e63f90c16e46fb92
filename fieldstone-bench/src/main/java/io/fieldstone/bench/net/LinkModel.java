package io.fieldstone.bench.net;

import java.util.Random;

/**
 * Models one direction of a link: a queue with a tail drop, a transmitter of a fixed rate, then
 * random loss and a fixed delay. Has no clock: the caller passes the time, which never goes back.
 * Not thread-safe.
 */
final class LinkModel {

  /** The packet found the queue full. */
  static final long OVERFLOWED = -1;

  /** The packet was transmitted and lost. */
  static final long LOST = -2;

  private static final double BITS_NANOS = 8e9;

  /** Resolution and range of the recorded waiting times. */
  private static final long BIN_NANOS = 100_000;

  private static final int BINS = 20_000;

  private final LinkSettings settings;
  private final Random random;
  private final int[] waits = new int[BINS];

  /** Probabilities to enter and to leave a run of losses. */
  private final double enter;

  private final double leave;

  private boolean losing;
  private long freeNanos = Long.MIN_VALUE;
  private long waitedNanos;
  private long transmitted;
  private long arrived;
  private long arrivedBytes;
  private long lost;
  private long overflowed;

  LinkModel(LinkSettings settings, long seed) {
    this.settings = settings;
    this.random = new Random(seed);
    this.leave = 1 / settings.burstPackets();
    this.enter = settings.loss() * leave / (1 - settings.loss());
  }

  /**
   * Offers a packet.
   *
   * @param bytes its length, IP header included
   * @param nowNanos time of the offer
   * @return the time of its arrival, or {@link #OVERFLOWED} or {@link #LOST}
   */
  long offer(int bytes, long nowNanos) {
    long start = Math.max(freeNanos, nowNanos);
    long done = start;
    if (settings.bitsPerSecond() > 0) {
      double backlogBytes = (start - nowNanos) * (settings.bitsPerSecond() / BITS_NANOS);
      if (backlogBytes + bytes > settings.queueBytes()) {
        overflowed++;
        return OVERFLOWED;
      }
      done = start + Math.round(bytes * (BITS_NANOS / settings.bitsPerSecond()));
    }
    freeNanos = done;
    recordWait(start - nowNanos);
    if (isLost()) {
      lost++;
      return LOST;
    }
    arrived++;
    arrivedBytes += bytes;
    return done + settings.delayNanos();
  }

  LinkCounters counters() {
    return new LinkCounters(
        arrived,
        arrivedBytes,
        lost,
        overflowed,
        transmitted == 0 ? 0 : waitedNanos / transmitted / 1000,
        percentileNanos(0.99) / 1000);
  }

  private void recordWait(long nanos) {
    transmitted++;
    waitedNanos += nanos;
    waits[(int) Math.min(nanos / BIN_NANOS, BINS - 1)]++;
  }

  private long percentileNanos(double share) {
    long below = 0;
    for (int bin = 0; bin < BINS; bin++) {
      below += waits[bin];
      if (below >= share * transmitted) {
        return bin * BIN_NANOS;
      }
    }
    return BINS * BIN_NANOS;
  }

  private boolean isLost() {
    if (settings.loss() == 0) {
      return false;
    }
    if (settings.burstPackets() == 1) {
      return random.nextDouble() < settings.loss();
    }
    losing = losing ? random.nextDouble() >= leave : random.nextDouble() < enter;
    return losing;
  }
}
