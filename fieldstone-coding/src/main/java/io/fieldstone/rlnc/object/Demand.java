package io.fieldstone.rlnc.object;

import java.util.Arrays;

/** The sender's record of one generation of a receiver: the blocks wanted, and the blocks sent. */
final class Demand {

  final int generation;

  /** The blocks wanted as of the cut of the last report. */
  int deficit;

  /** The packets sent after that cut. */
  int sentAfterCut;

  /** The index of the next coded block, which is never sent twice. */
  int nextIndex;

  /** The first row of an immediate relay's blocks that no combination sent contains. */
  int nextRow;

  /** Whether a packet was ever sent. Until then there is nothing to remember. */
  boolean isBegun;

  /** The packets sent in this attempt. */
  private int sent;

  private final long[] sourcesSent;

  /** Whether combinations were sent in this attempt, which source blocks may add nothing to. */
  private boolean hasRecoded;

  private int attempt = -1;
  private int sourceNext;
  private int sourceEnd;

  Demand(int generation, int blocks, int firstIndex) {
    this.generation = generation;
    this.nextIndex = firstIndex;
    this.sourcesSent = new long[(blocks + Long.SIZE - 1) / Long.SIZE];
  }

  /** Replaces the wishes by those of a newer report. */
  void want(int newAttempt, int newDeficit, int sourceFirst, int sourceCount) {
    if (newAttempt != attempt) {
      attempt = newAttempt;
      sent = 0;
      hasRecoded = false;
      nextRow = 0;
      Arrays.fill(sourcesSent, 0);
    }
    deficit = newDeficit;
    sourceNext = sourceFirst;
    sourceEnd = sourceFirst + sourceCount;
  }

  void wantNothing() {
    deficit = 0;
  }

  /** Takes note of a packet. */
  void sent() {
    isBegun = true;
    sent++;
    sentAfterCut++;
  }

  /**
   * Returns the blocks of this attempt that had arrived at the cut, less those that were lost.
   *
   * @param arrivedShare the share of the packets of the connection that arrive
   */
  int arrivedAtCut(double arrivedShare) {
    return (int) (Math.max(0, sent - sentAfterCut) * arrivedShare);
  }

  /** Returns the packets to send now, negative if too many were sent. */
  int budget() {
    return deficit - sentAfterCut;
  }

  /** Takes note that a combination of the first rows of an incomplete generation is sent. */
  void recoded(int rows) {
    hasRecoded = true;
    nextRow = rows;
  }

  /** Returns true if a source block is wanted and was not sent. */
  boolean isSourceWanted(int position) {
    return position >= sourceNext && position < sourceEnd && !isSent(position);
  }

  /** Returns the next wanted source block that was not sent; −1 if there is none. */
  int nextSource() {
    if (hasRecoded) {
      return -1;
    }
    while (sourceNext < sourceEnd && isSent(sourceNext)) {
      sourceNext++;
    }
    return sourceNext < sourceEnd ? sourceNext : -1;
  }

  void sourceSent(int position) {
    sourcesSent[position / Long.SIZE] |= 1L << position;
  }

  private boolean isSent(int position) {
    return (sourcesSent[position / Long.SIZE] & 1L << position) != 0;
  }
}
