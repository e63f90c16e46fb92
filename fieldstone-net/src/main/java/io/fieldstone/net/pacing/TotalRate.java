package io.fieldstone.net.pacing;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Divides the maximum rate of a server among its connections: each may send what it can, up to a
 * share that is equal for those that could send more (max-min fairness). Thread-safe.
 */
public final class TotalRate {

  /** The time between divisions. */
  private static final long DIVISION_NANOS = 20_000_000;

  /** The time after which a connection that says nothing wants nothing. */
  private static final long IDLE_NANOS = 1_000_000_000;

  private final double bytesPerSecond;
  private final Set<Share> shares = new HashSet<>();
  private double level;
  private long dividedNanos;
  private boolean isDivided;

  /**
   * Creates a division without connections.
   *
   * @param bytesPerSecond the maximum rate of all together; {@link Long#MAX_VALUE} for none
   */
  public TotalRate(long bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
    this.level = bytesPerSecond;
  }

  /** Opens the share of a connection. */
  public synchronized Share open() {
    Share share = new Share();
    shares.add(share);
    return share;
  }

  /** The share of one connection. Thread-safe. */
  public final class Share implements AutoCloseable {
    private double wanted;
    private long wantedNanos;

    private Share() {}

    /**
     * Returns the rate that this connection may have now.
     *
     * @param wantedBytesPerSecond the rate that it could have without others
     */
    public double limit(double wantedBytesPerSecond, long nowNanos) {
      if (bytesPerSecond >= Long.MAX_VALUE) {
        return bytesPerSecond;
      }
      synchronized (TotalRate.this) {
        boolean isNew = wanted == 0;
        wanted = wantedBytesPerSecond;
        wantedNanos = nowNanos;
        if (isNew || !isDivided || nowNanos - dividedNanos >= DIVISION_NANOS) {
          divide(nowNanos);
        }
        return level;
      }
    }

    @Override
    public void close() {
      synchronized (TotalRate.this) {
        shares.remove(this);
      }
    }
  }

  /** Finds the level at which the rates, each cut to it, have the maximum as their sum. */
  private void divide(long nowNanos) {
    isDivided = true;
    dividedNanos = nowNanos;
    for (Share share : shares) {
      if (nowNanos - share.wantedNanos > IDLE_NANOS) {
        share.wanted = 0;
      }
    }
    double[] rates =
        shares.stream().mapToDouble(share -> share.wanted).filter(wanted -> wanted > 0).toArray();
    Arrays.sort(rates);
    double left = bytesPerSecond;
    for (int i = 0; i < rates.length; i++) {
      double equal = left / (rates.length - i);
      if (rates[i] > equal) {
        level = equal;
        return;
      }
      left -= rates[i];
    }
    // All can have what they want, and one of them what is left.
    level = left + (rates.length == 0 ? 0 : rates[rates.length - 1]);
  }
}
