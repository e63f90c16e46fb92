package io.fieldstone.net.pacing;

/**
 * Remembers when the last packets were sent, to compute rates and round-trip times from reports.
 */
public final class SentTimes {
  private final long[] nanos;
  private long nextSequence;

  /**
   * Remembers the last packets.
   *
   * @param packets the number of packets, a power of two
   */
  public SentTimes(int packets) {
    if (packets < 1 || Integer.bitCount(packets) != 1) {
      throw new IllegalArgumentException(packets + " packets: want a power of two");
    }
    nanos = new long[packets];
  }

  /** Takes note that the next packet is sent, and gives its number. */
  public long onSent(long nowNanos) {
    nanos[(int) (nextSequence & (nanos.length - 1))] = nowNanos;
    return nextSequence++;
  }

  /** The number of the next packet. */
  public long nextSequence() {
    return nextSequence;
  }

  /**
   * Computes a round-trip time.
   *
   * @param sequence the highest number that a report names
   * @param heldNanos how long the receiver waited with the report after that packet
   * @param nowNanos when the report arrived
   * @return the time in nanoseconds, at least 1, or 0 if the packet is forgotten or was never sent
   */
  public long rttNanos(long sequence, long heldNanos, long nowNanos) {
    return isKnown(sequence) ? Math.max(nowNanos - at(sequence) - heldNanos, 1) : 0;
  }

  /**
   * Returns when a packet was sent.
   *
   * @param unknown the result for a packet that is forgotten or was never sent
   */
  public long sentNanos(long sequence, long unknown) {
    return isKnown(sequence) ? at(sequence) : unknown;
  }

  private boolean isKnown(long sequence) {
    return sequence >= 0 && sequence < nextSequence && sequence >= nextSequence - nanos.length;
  }

  private long at(long sequence) {
    return nanos[(int) (sequence & (nanos.length - 1))];
  }
}
