package io.fieldstone.rlnc.object;

import java.util.Arrays;

/**
 * The missing blocks of one generation, divided among senders. The shares and the unassigned blocks
 * always add up to the missing ones, and the shares of a sender to its outstanding blocks.
 */
final class Division {

  /** The blocks to come from each slot. */
  private int[] shares = new int[0];

  private int unassigned;

  /** The source blocks that each slot is asked for: from first to end. */
  private int[] sourceFirst = new int[0];

  private int[] sourceEnd = new int[0];

  /** The packets that arrived from each slot after the cut of its next report. */
  private int[] arrivedAfterCut = new int[0];

  Division(int blocks) {
    unassigned = blocks;
  }

  /** Makes room for senders in slots below {@code slots}. */
  void reserve(int slots) {
    if (slots > shares.length) {
      shares = Arrays.copyOf(shares, slots);
      sourceFirst = Arrays.copyOf(sourceFirst, slots);
      sourceEnd = Arrays.copyOf(sourceEnd, slots);
      arrivedAfterCut = Arrays.copyOf(arrivedAfterCut, slots);
    }
  }

  /** Returns the share of a sender. */
  int of(SenderState sender) {
    return shares[sender.slot()];
  }

  /** Returns the blocks that nobody is asked for. */
  int unassigned() {
    return unassigned;
  }

  /** Changes the number of missing blocks. */
  void addUnassigned(int blocks) {
    unassigned += blocks;
  }

  /** Asks a sender for unassigned blocks. */
  void give(SenderState sender, int blocks) {
    if (blocks > 0) {
      shares[sender.slot()] += blocks;
      unassigned -= blocks;
      sender.addOutstanding(blocks);
    }
  }

  /** Takes the share of a sender away. */
  void take(SenderState sender) {
    int slot = sender.slot();
    sender.addOutstanding(-shares[slot]);
    unassigned += shares[slot];
    shares[slot] = 0;
    sourceFirst[slot] = 0;
    sourceEnd[slot] = 0;
  }

  /** Takes all shares away. */
  void takeAll(Senders senders) {
    senders.forEach(this::take);
  }

  /** Takes all shares away, and counts the missing blocks again. */
  void restart(Senders senders, int missing) {
    takeAll(senders);
    unassigned = missing;
  }

  /** Counts an innovative block against the share of its sender, or else of another. */
  void delivered(SenderState from, Senders senders) {
    if (of(from) > 0) {
      subtract(from, 1);
    } else if (unassigned > 0) {
      unassigned--;
    } else {
      SenderState relieved = senders.at(largestSlot());
      if (relieved != null && of(relieved) > 0) { // else more than was wanted of a part
        subtract(relieved, 1);
      }
    }
  }

  private void subtract(SenderState sender, int blocks) {
    shares[sender.slot()] -= blocks;
    sender.addOutstanding(-blocks);
  }

  /** Returns true if no other sender has a larger share, nor one before it. */
  boolean isLargest(SenderState sender) {
    return largestSlot() == sender.slot();
  }

  /** Returns the slot with the largest share; the first of several. */
  int largestSlot() {
    int largest = 0;
    for (int slot = 1; slot < shares.length; slot++) {
      if (shares[slot] > shares[largest]) {
        largest = slot;
      }
    }
    return largest;
  }

  /**
   * Moves blocks from one sender to another, and source blocks of which none has arrived.
   *
   * @return the blocks moved, at most {@code most}
   */
  int move(SenderState from, SenderState to, int most, Rows rows) {
    int moved = Math.min(most, of(from));
    subtract(from, moved);
    unassigned += moved;
    give(to, moved);
    int end = sourceEnd[from.slot()];
    int first = Math.max(sourceFirst[from.slot()], end - moved);
    if (isUntouched(rows, first, end) && sourceEnd[to.slot()] == 0) {
      sourceFirst[to.slot()] = first;
      sourceEnd[to.slot()] = end;
    }
    sourceEnd[from.slot()] = first;
    return moved;
  }

  private static boolean isUntouched(Rows rows, int first, int end) {
    for (int position = first; position < end; position++) {
      if (rows.holdsSource(position)) {
        return false;
      }
    }
    return true;
  }

  /** Divides the source blocks as all blocks are divided. */
  void assignSources() {
    int first = 0;
    for (int slot = 0; slot < shares.length; slot++) {
      sourceFirst[slot] = first;
      first += shares[slot];
      sourceEnd[slot] = first;
    }
  }

  /** Returns the first source block that a sender is asked for. */
  int sourceFirst(SenderState sender) {
    return sourceFirst[sender.slot()];
  }

  /** Returns the number of source blocks that a sender is asked for. */
  int sourceCount(SenderState sender) {
    return sourceEnd[sender.slot()] - sourceFirst[sender.slot()];
  }

  /** Counts a packet that arrived after the cut of the next report to its sender. */
  void countAfterCut(SenderState sender) {
    arrivedAfterCut[sender.slot()]++;
  }

  /** Returns the packets that arrived after the cut, and counts from 0 again. */
  int takeAfterCut(SenderState sender) {
    int arrived = arrivedAfterCut[sender.slot()];
    arrivedAfterCut[sender.slot()] = 0;
    return arrived;
  }

  @Override
  public String toString() {
    return "unassigned %d, shares %s".formatted(unassigned, Arrays.toString(shares));
  }
}
