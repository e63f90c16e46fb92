/**
 * The missing blocks of one generation, divided among senders. The shares and the unassigned blocks always add up to
 * the missing ones, and the shares of a sender to its outstanding blocks.
 */
export class Division {
  /** @param {number} blocks */
  constructor(blocks) {
    /** The blocks that nobody is asked for. */
    this.unassigned = blocks;
    /** @type {number[]} the blocks to come from each slot */
    this.shares = [];
    /** @type {number[]} the source blocks that each slot is asked for */
    this.sourceFirst = [];
    /** @type {number[]} */
    this.sourceEnd = [];
    /** @type {number[]} the packets that arrived from each slot after the cut of its next report */
    this.arrivedAfterCut = [];
  }

  /** Makes room for senders in slots below a number. */
  reserve(slots) {
    for (const list of [this.shares, this.sourceFirst, this.sourceEnd, this.arrivedAfterCut]) {
      while (list.length < slots) {
        list.push(0);
      }
    }
  }

  of(sender) {
    return this.shares[sender.slot];
  }

  /** Asks a sender for unassigned blocks. */
  give(sender, blocks) {
    if (blocks > 0) {
      this.shares[sender.slot] += blocks;
      this.unassigned -= blocks;
      sender.outstanding += blocks;
    }
  }

  /** Takes the share of a sender away. */
  take(sender) {
    const { slot } = sender;
    sender.outstanding -= this.shares[slot];
    this.unassigned += this.shares[slot];
    this.shares[slot] = 0;
    this.sourceFirst[slot] = 0;
    this.sourceEnd[slot] = 0;
  }

  takeAll(senders) {
    for (const sender of senders) {
      this.take(sender);
    }
  }

  /** Takes all shares away, and counts the missing blocks again. */
  restart(senders, missing) {
    this.takeAll(senders);
    this.unassigned = missing;
  }

  /** Counts an innovative block against the share of its sender, or else of another. */
  delivered(from, senders) {
    if (this.of(from) > 0) {
      this.subtract(from, 1);
    } else if (this.unassigned > 0) {
      this.unassigned--;
    } else {
      const relieved = senders.at(this.largestSlot());
      if (relieved !== undefined && this.of(relieved) > 0) {
        this.subtract(relieved, 1);
      }
    }
  }

  subtract(sender, blocks) {
    this.shares[sender.slot] -= blocks;
    sender.outstanding -= blocks;
  }

  /** Returns the slot with the largest share; the first of several. */
  largestSlot() {
    let largest = 0;
    for (let slot = 1; slot < this.shares.length; slot++) {
      if (this.shares[slot] > this.shares[largest]) {
        largest = slot;
      }
    }
    return largest;
  }

  /** Moves blocks from one sender to another, and source blocks of which none has arrived; returns the blocks moved. */
  move(from, to, most, rows) {
    const moved = Math.min(most, this.of(from));
    this.subtract(from, moved);
    this.unassigned += moved;
    this.give(to, moved);
    const end = this.sourceEnd[from.slot];
    const first = Math.max(this.sourceFirst[from.slot], end - moved);
    if (!rows.holds.subarray(first, end).includes(1) && this.sourceEnd[to.slot] === 0) {
      this.sourceFirst[to.slot] = first;
      this.sourceEnd[to.slot] = end;
    }
    this.sourceEnd[from.slot] = first;
    return moved;
  }

  /** Divides the source blocks as all blocks are divided. */
  assignSources() {
    let first = 0;
    for (let slot = 0; slot < this.shares.length; slot++) {
      this.sourceFirst[slot] = first;
      first += this.shares[slot];
      this.sourceEnd[slot] = first;
    }
  }

  sourceCount(sender) {
    return this.sourceEnd[sender.slot] - this.sourceFirst[sender.slot];
  }

  /** Returns the packets that arrived after the cut, and counts from 0 again. */
  takeAfterCut(sender) {
    const arrived = this.arrivedAfterCut[sender.slot];
    this.arrivedAfterCut[sender.slot] = 0;
    return arrived;
  }
}
