package io.fieldstone.rlnc.fecframe;

/**
 * Extends ESIs of 32 bits to ids that never wrap, and tells the packets of a stream from late and
 * foreign ones.
 *
 * <p>An id is congruent to its ESI modulo 2<sup>32</sup>. An ESI stands for the id nearest to the
 * end of the stream; at a distance of 2<sup>31</sup> there are two, so that it is refused. A
 * distance that no loss explains is believed when further packets confirm it: the sender has
 * restarted, or an ESI was damaged.
 */
final class EsiOrder {

  /** The id of a packet that is older than the window. */
  static final long LATE = -1;

  /** The id of a packet that is nowhere near the stream. */
  static final long FOREIGN = -2;

  /** The most symbols that a single packet skips: an outage of a second at 10^5 packets/s. */
  static final long MAX_JUMP = 1 << 17;

  /** Packets in a row that confirm a jump forwards. */
  static final int FORWARD_CONFIRMATIONS = 2;

  /**
   * Packets in a row that confirm a restart behind the window. Late packets of the same stream are
   * rarely as many without a current one between them.
   */
  static final int BACKWARD_CONFIRMATIONS = 16;

  private static final long WRAP = 1L << 32;

  private final int window;

  /** The id after the highest one; negative before the first packet. */
  private long end = -1;

  private boolean jumped;
  private int candidateEsi;
  private int candidates;

  EsiOrder(int window) {
    this.window = window;
  }

  /** Returns the id after the highest one, or −1 before the first packet. */
  long end() {
    return end;
  }

  /** Returns whether the last packet located was the first of another part of the id space. */
  boolean jumped() {
    return jumped;
  }

  /**
   * Locates a packet.
   *
   * @param esi the ESI of its first symbol
   * @param symbols how many source symbols it has or combines, ≥ 1
   * @return the id of its first symbol, {@link #LATE} or {@link #FOREIGN}
   */
  long locate(long esi, int symbols) {
    jumped = false;
    if (end < 0) {
      // Ids before the first one are positive, too.
      return accept(WRAP + esi, symbols, true);
    }
    int distance = (int) (esi - end);
    boolean ambiguous = distance == Integer.MIN_VALUE;
    long id = end + distance;
    if (!ambiguous && id >= end - window && id + symbols <= end + MAX_JUMP) {
      return accept(id, symbols, false);
    }
    boolean ahead = !ambiguous && distance > 0;
    boolean near = candidates > 0 && Math.abs((long) (int) (esi - candidateEsi)) <= window;
    candidates = near ? candidates + 1 : 1;
    candidateEsi = (int) esi;
    if (candidates >= (ahead ? FORWARD_CONFIRMATIONS : BACKWARD_CONFIRMATIONS)) {
      return accept(ahead ? id : id + WRAP, symbols, true);
    }
    return ahead || ambiguous ? FOREIGN : LATE;
  }

  private long accept(long id, int symbols, boolean jump) {
    candidates = 0;
    jumped = jump;
    end = jump ? id + symbols : Math.max(end, id + symbols);
    return id;
  }
}
