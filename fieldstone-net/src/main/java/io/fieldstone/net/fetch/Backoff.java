package io.fieldstone.net.fetch;

/** The delays between attempts to connect: each twice the one before, up to a maximum. */
final class Backoff {

  static final long MIN_NANOS = 250_000_000L;
  static final long MAX_NANOS = 8_000_000_000L;

  private long nextNanos = MIN_NANOS;

  /** Returns the delay before the next attempt. */
  long nextNanos() {
    long now = nextNanos;
    nextNanos = Math.min(MAX_NANOS, 2 * nextNanos);
    return now;
  }

  /** Starts again with the least delay. */
  void reset() {
    nextNanos = MIN_NANOS;
  }
}
