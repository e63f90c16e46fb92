package io.fieldstone.net.session;

import io.fieldstone.net.carrier.PathStats;
import io.fieldstone.rlnc.object.ObjectSender;
import java.util.List;

/** Decides when a {@link ServerSession} may send. On the loop of the connection. */
public final class SenderPacing {

  private long limit;
  private long nextNanos;

  /**
   * Creates pacing of one connection.
   *
   * @param maxBytesPerSecond the maximum rate; {@link Long#MAX_VALUE} for none
   * @param isCubic true for CUBIC
   */
  public SenderPacing(long maxBytesPerSecond, boolean isCubic) {
    this.limit = maxBytesPerSecond;
  }

  void limit(long bytesPerSecond, boolean isCubic) {
    limit = Math.min(limit, bytesPerSecond);
  }

  long delayNanos(long now) {
    return Math.max(0, nextNanos - now);
  }

  void sent(int bytes, long now) {
    nextNanos = Math.max(nextNanos, now - 1_000_000) + (long) (bytes * 1e9 / rateBytesPerSecond());
  }

  void reported(List<ObjectSender> senders, long rttNanos, PathStats stats, long now) {}

  void closed(ObjectSender sender) {}

  long rateBytesPerSecond() {
    return Math.min(limit, 100_000_000);
  }
}
