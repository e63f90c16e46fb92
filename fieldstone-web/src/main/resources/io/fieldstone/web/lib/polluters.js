/** The polluted generations after which an immediate relay is removed. */
const MAX_STRIKES = 3;

/**
 * Finds the senders of wrong blocks, and removes them with their blocks (docs/objects.md, "Wrong blocks"). One polluted
 * generation at a time is in quarantine: it is fetched again from one sender alone, and its blocks are kept as
 * evidence. Others wait.
 */
export class Polluters {
  /**
   * @param {import('./senders.js').Senders} senders
   * @param {import('./scheduler.js').Scheduler} scheduler
   * @param {import('./object-receiver.js').ObjectReceiver} receiver
   */
  constructor(senders, scheduler, receiver) {
    this.senders = senders;
    this.scheduler = scheduler;
    this.receiver = receiver;
    this.convicted = new Set();
    /** The strikes of each immediate relay, also after it has left: its faults prove nothing. */
    this.strikes = new Map();
    /** @type {import('./open-generation.js').OpenGeneration | undefined} */
    this.quarantined = undefined;
    /** The generations that were fetched again from their first block on. */
    this.refetched = 0;
  }

  /** Notes a sender that was added. */
  add(sender) {
    if (sender.isImmediate()) {
      this.strikes.set(sender.number, 0);
    }
  }

  /** Removes a sender that has left. Its blocks stay, and others are asked for its shares. */
  remove(sender) {
    this.scheduler.takeAllOf(sender);
    this.senders.remove(sender);
    for (const generation of this.scheduler.open) {
      generation.division.takeAfterCut(sender);
      if (generation.relay === sender) {
        generation.relay = undefined;
      }
      if (generation.exclusive === sender) {
        this.abandon(generation);
      }
    }
  }

  /** Takes a generation with a right hash, which is not open any more. */
  accepted(generation, source) {
    for (const number of generation.rows.distinctSenders()) {
      const sender = this.senders.get(number);
      if (sender !== undefined) {
        this.scheduler.praise(sender);
      }
    }
    const { evidence } = generation;
    if (evidence !== undefined) {
      this.punishAll(evidence.wrongSenders(source), generation.number, 'block');
      this.receiver.release(evidence);
    }
    this.receiver.release(generation.rows);
    this.endQuarantine(generation);
  }

  punishAll(polluters, generation, evidence) {
    for (const polluter of polluters) {
      this.punish(polluter, generation, evidence);
    }
  }

  /** Convicts a sender, or gives an immediate relay a strike. */
  punish(number, generation, evidence) {
    const before = this.strikes.get(number);
    if (before === undefined) {
      this.convict(number, generation, evidence);
      return;
    }
    this.strikes.set(number, before + 1);
    const sender = this.senders.get(number);
    if (sender !== undefined) {
      sender.strikes = before + 1;
    }
    if (before + 1 >= MAX_STRIKES) {
      this.convict(number, generation, 'strikes');
    }
  }

  convict(number, generation, evidence) {
    if (this.convicted.has(number)) {
      return;
    }
    this.convicted.add(number);
    const sender = this.senders.get(number);
    if (sender !== undefined) {
      this.remove(sender);
    }
    for (const other of this.scheduler.open) {
      this.purgeConvicted(other);
    }
    this.receiver.listener.convicted?.({ sender: number, generation, evidence });
  }

  /** Removes the blocks of convicted senders; returns true if there were any. */
  purgeConvicted(generation) {
    return this.purge(generation, (row) => this.convicted.has(generation.rows.senders[row]));
  }

  purge(generation, isRemoved) {
    if (generation.rows.removeRows(isRemoved) === 0) {
      return false;
    }
    this.scheduler.restart(generation);
    generation.isSuspended = false;
    return true;
  }

  /** Takes a generation with a wrong hash, which is collected again. */
  rejected(generation) {
    this.scheduler.separateRelays();
    if (this.purgeConvicted(generation)) {
      return;
    }
    const senders = generation.rows.distinctSenders();
    if (senders.size === 1) {
      this.rejectExclusive(generation, [...senders][0]);
      return;
    }
    this.receiver.listener.polluted?.(generation.number);
    if (this.quarantined === undefined && !generation.isQuarantined()) {
      this.beginQuarantine(generation);
    } else {
      generation.isSuspended = true;
    }
  }

  /** Punishes the only sender of a generation with a wrong hash. */
  rejectExclusive(generation, sender) {
    generation.tried.add(sender);
    this.refetched++;
    this.restart(generation);
    if (this.strikes.has(sender) && this.senders.get(sender) !== undefined) {
      this.receiver.listener.polluted?.(generation.number);
    }
    this.punish(sender, generation.number, 'generation');
    this.abandon(generation);
  }

  /** Fetches a generation again from one sender alone, and keeps its blocks as evidence. */
  beginQuarantine(generation) {
    this.quarantined = generation;
    this.refetched++;
    this.scheduler.takeAll(generation);
    this.scheduler.endProbe(generation);
    generation.exclusive = undefined;
    generation.evidence = generation.rows;
    generation.rows = this.receiver.newRows(generation.blocks);
    this.restart(generation);
    this.scheduler.assignToMostTrusted(generation);
  }

  restart(generation) {
    generation.restart();
    this.scheduler.restart(generation);
  }

  /** Asks another sender, or all others, after the only sender of a generation failed or left. */
  abandon(generation) {
    this.scheduler.endProbe(generation);
    this.scheduler.takeAll(generation);
    generation.exclusive = undefined;
    if (generation.isQuarantined()) {
      if (generation.rows.count > 0 && generation.isCollecting()) {
        this.restart(generation);
      }
      this.scheduler.assignToMostTrusted(generation);
    }
  }

  endQuarantine(generation) {
    if (this.quarantined !== generation) {
      return;
    }
    this.quarantined = undefined;
    const suspended = this.scheduler.open.find((each) => each.isSuspended);
    if (suspended !== undefined) {
      this.beginQuarantine(suspended);
    }
  }
}
