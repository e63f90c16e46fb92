package io.fieldstone.net.carrier.quic;

/**
 * Detects that the transport sends no datagrams although it has some. It may have dropped one that
 * no longer fits the path, so that the backlog is only believed to be there. Or it sends none any
 * more: after several changes of the peer's address within a round trip, quiche may have a path
 * that it neither validates nor gives up, on which it only acknowledges packets.
 */
final class DatagramStall {

  /** The time without a datagram after which the backlog is not believed. */
  private static final long STALL_NANOS = 1_000_000_000;

  /** The stalls in succession, with packets of the peer, that show that the transport is broken. */
  private static final int MAX_STALLS = 2;

  private boolean isWaiting;
  private long sinceNanos;
  private long receivedBefore;
  private int stalls;

  /**
   * Takes note of the backlog.
   *
   * @param hasSent whether the transport has sent datagrams since the last call
   * @param backlog the datagrams that it has, at least 0
   * @param receivedPackets the packets of the peer since the connection began
   * @param nowNanos the time
   * @return true if the backlog is not to be believed
   */
  boolean observe(boolean hasSent, int backlog, long receivedPackets, long nowNanos) {
    if (hasSent) {
      stalls = 0;
    }
    if (hasSent || backlog == 0 || !isWaiting) {
      isWaiting = backlog > 0;
      sinceNanos = nowNanos;
      receivedBefore = receivedPackets;
      return false;
    }
    if (nowNanos - sinceNanos <= STALL_NANOS) {
      return false;
    }
    isWaiting = false;
    // A path that carries nothing may come back.
    if (receivedPackets > receivedBefore) {
      stalls++;
    }
    return true;
  }

  /** Returns true if the transport sends no datagrams although packets of the peer arrive. */
  boolean isBroken() {
    return stalls >= MAX_STALLS;
  }
}
