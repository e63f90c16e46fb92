package io.fieldstone.net.session;

import io.fieldstone.rlnc.object.ObjectSender;

/** An object that a {@link ServerSession} sends, with the times at which its packets left. */
final class OutgoingObject implements AutoCloseable {

  /** The packets whose times are kept: more than are in flight in a second at 100 MB/s. */
  private static final int TIMES = 1 << 16;

  final int alias;
  final OpenObject object;
  final ObjectSender sender;
  private final long[] sentNanos = new long[TIMES];

  OutgoingObject(int alias, OpenObject object) {
    this.alias = alias;
    this.object = object;
    this.sender = object.sender(alias);
  }

  /** Notes the time of the packet that the sender wrote last. */
  void sent(long nowNanos) {
    sentNanos[(int) (sender.packetsSent() - 1) & (TIMES - 1)] = nowNanos;
  }

  /**
   * Returns the round-trip time that the last report shows, less the time that the receiver waited;
   * −1 if unknown.
   */
  long rttNanos(long nowNanos) {
    long last = sender.arrivedEnd() - 1;
    if (last < 0 || sender.packetsSent() - last > TIMES) {
      return -1;
    }
    long delayNanos = 1000 * Math.min(sender.reportDelayMicros(), Long.MAX_VALUE / 2000);
    long rttNanos = nowNanos - sentNanos[(int) last & (TIMES - 1)] - delayNanos;
    return rttNanos > 0 ? rttNanos : -1;
  }

  @Override
  public void close() {
    sender.close();
    object.close();
  }
}
