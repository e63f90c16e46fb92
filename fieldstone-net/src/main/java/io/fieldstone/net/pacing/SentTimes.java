package io.fieldstone.net.pacing;

/**
 * Remembers when the last packets were sent, to compute rates and round-trip times from reports.
 * Its memory grows with the packets sent since the last one that was asked for.
 */
public final class SentTimes {
  private static final int FIRST_PACKETS = 256;

  private final int maxPackets;
  private long[] nanos;
  private long nextSequence;

  /** The highest number that was asked for; earlier packets are of no more interest. */
  private long highestAsked = -1;

  /**
   * Remembers the last packets.
   *
   * @param maxPackets the number of packets, a power of two
   */
  public SentTimes(int maxPackets) {
    if (maxPackets < 1 || Integer.bitCount(maxPackets) != 1) {
      throw new IllegalArgumentException(maxPackets + " packets: want a power of two");
    }
    this.maxPackets = maxPackets;
    nanos = new long[Math.min(FIRST_PACKETS, maxPackets)];
  }

  /** Takes note that the next packet is sent, and gives its number. */
  public long onSent(long nowNanos) {
    if (nextSequence - highestAsked >= nanos.length && nanos.length < maxPackets) {
      grow();
    }
    nanos[(int) (nextSequence & (nanos.length - 1))] = nowNanos;
    return nextSequence++;
  }

  private void grow() {
    long[] longer = new long[2 * nanos.length];
    for (long each = Math.max(0, nextSequence - nanos.length); each < nextSequence; each++) {
      longer[(int) (each & (longer.length - 1))] = at(each);
    }
    nanos = longer;
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
    highestAsked = Math.max(highestAsked, sequence);
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
