package io.fieldstone.net.carrier.quic;

/**
 * Estimates how many accepted datagrams the transport has not sent.
 *
 * <p>The transport says neither how long its queue is nor when it sends a datagram, only how many
 * bytes it sent in all packets. Datagrams leave in order, so sent bytes are set against the sizes
 * at the head of the queue. Bytes of acknowledgements and control messages are counted too, so the
 * estimate may be too low, though never too high for long, while the queue is never empty. The
 * transport's queue is therefore many times longer than the bound that is kept with this estimate.
 * The error ends when the queue is empty.
 */
final class DatagramBacklog {
  /** Flags, a connection id of 0 bytes, a packet number of 1 byte, and a tag. */
  private static final int MIN_PACKET_OVERHEAD_BYTES = 1 + 1 + 16;

  /** The type and the length of a datagram's frame. */
  private static final int FRAME_OVERHEAD_BYTES = 2;

  /** A length of 2 bytes in place of 1, and a packet number of 4 bytes in place of 1. */
  private static final int VARIABLE_BYTES = 1 + 3;

  private final int[] sizes;
  private int head;
  private int count;

  /** The least bytes of a packet besides its frames. */
  private int packetOverheadBytes = MIN_PACKET_OVERHEAD_BYTES;

  private long seenPackets;
  private long seenBytes;

  /** Holds at most {@code maxDatagrams} datagrams. */
  DatagramBacklog(int maxDatagrams) {
    sizes = new int[maxDatagrams];
  }

  /**
   * Sets the maximum bytes of a packet besides its datagram. They depend on the length of the
   * peer's connection id.
   */
  void maxOverhead(int bytes) {
    packetOverheadBytes =
        Math.max(bytes - FRAME_OVERHEAD_BYTES - VARIABLE_BYTES, MIN_PACKET_OVERHEAD_BYTES);
  }

  /** The number of datagrams that are not sent, as of the last observation. */
  int size() {
    return count;
  }

  /** Whether no more datagrams can be added before some are sent. */
  boolean isFull() {
    return count == sizes.length;
  }

  /** Adds a datagram that was handed to the transport. */
  void add(int bytes) {
    if (isFull()) {
      throw new IllegalStateException("the backlog has " + count + " datagrams already");
    }
    sizes[(head + count) % sizes.length] = bytes;
    count++;
  }

  /** Removes the first datagram, which the transport refused. */
  void dropFirst() {
    if (count > 0) {
      head = (head + 1) % sizes.length;
      count--;
    }
  }

  /** Forgets all datagrams, because none was sent for so long that the estimate must be wrong. */
  void clear() {
    count = 0;
  }

  /**
   * Takes note of what the transport has sent since the connection began.
   *
   * @return whether a datagram left the backlog
   */
  boolean observe(long sentPackets, long sentBytes) {
    long packets = sentPackets - seenPackets;
    long bytes = sentBytes - seenBytes;
    seenPackets = sentPackets;
    seenBytes = sentBytes;
    // A packet holds whole datagrams, so what is left over belongs to other frames.
    long frameBytes = bytes - packets * packetOverheadBytes;
    int before = count;
    while (count > 0 && frameBytes >= sizes[head] + FRAME_OVERHEAD_BYTES) {
      frameBytes -= sizes[head] + FRAME_OVERHEAD_BYTES;
      dropFirst();
    }
    return count < before;
  }
}
