import { MixedRelays, SeparateRelays } from './immediate-relays.js';
import { canOthersDeliver, isFoundSilent, noteDelivery } from './silence.js';

/** The reports for which a sender needs blocks outstanding: a round trip and a half. */
const REPORTS_AHEAD = 6;

/** The number of new generations of which a silent sender is asked for a block of one. */
const RETRY_INTERVAL = 16;

/** The minimum blocks that a sender takes over from another. */
const MIN_TAKEN = 2;

/** The reports for which blocks of open generations are asked for: six round trips. */
const REPORTS_OPEN = 24;

/** The blocks that any sender is asked for before no more generations are opened. */
const MIN_OPEN_BLOCKS = 256;

/** The speed of a sender that delivered nothing yet, so that it is asked at all. */
const MIN_SPEED = 8;

/** The number of deliveries after which older ones count half. */
const MAX_RECENT = 512;

/**
 * Decides which sender is asked for which blocks. The missing blocks of open generations are divided in proportion to
 * what each sender delivered lately, so that all would finish together. A share stays until its sender is removed, is
 * silent while others deliver, or another sender has almost nothing more to do. A sender of which no generation has
 * been verified is on probation: it serves generations alone, as probes, until one of them is verified.
 */
export class Scheduler {
  /**
   * @param {import('./senders.js').Senders} senders
   * @param {import('./open-generation.js').OpenGeneration[]} open the open generations, by number
   */
  constructor(senders, open) {
    this.senders = senders;
    this.open = open;
    this.relays = new MixedRelays(this);
    /** Counts the generations of which blocks were assigned. */
    this.assignments = 0;
    this.recent = 0;
  }

  // Blocks that arrive

  /** Returns true if a sender may add blocks to a generation. */
  accepts(generation, from) {
    if (generation.exclusive !== undefined) {
      return generation.exclusive === from;
    }
    return !from.isOnProbation && !generation.isQuarantined()
        && (!from.isImmediate() || this.relays.accepts(generation, from));
  }

  /** Counts an innovative block. */
  delivered(generation, from, innovative) {
    noteDelivery(from, generation.blocks, innovative);
    from.recent++;
    from.deliveredSinceReport++;
    this.recent++;
    if (this.recent >= MAX_RECENT) {
      this.recent = 0;
      for (const sender of this.senders) {
        sender.recent >>= 1;
        this.recent += sender.recent;
      }
    }
    generation.division.delivered(from, this.senders);
  }

  /** Returns the speed of a sender relative to others: what it delivered lately. */
  ownSpeed(sender) {
    return sender.recent + MIN_SPEED;
  }

  meanSpeed() {
    return MIN_SPEED + this.recent / this.senders.count();
  }

  /** Notes that a generation with blocks of a sender was verified, so that others may help with its probes. */
  praise(sender) {
    sender.verified++;
    if (!sender.isOnProbation) {
      return;
    }
    sender.isOnProbation = false;
    for (const generation of this.open) {
      if (generation.isProbe && generation.exclusive === sender) {
        this.endProbe(generation);
        generation.exclusive = undefined;
      }
    }
  }

  /** Ends the probe that a generation was, whether it passed or not. */
  endProbe(generation) {
    if (generation.isProbe && generation.exclusive !== undefined) {
      generation.exclusive.probes--;
    }
    generation.isProbe = false;
  }

  // Shares that are taken away

  takeAllOf(sender) {
    for (const generation of this.open) {
      generation.division.take(sender);
    }
  }

  takeAll(generation) {
    generation.division.takeAll(this.senders);
  }

  /** Takes all shares away and counts the missing blocks again, after blocks were removed. */
  restart(generation) {
    generation.division.restart(this.senders, generation.missing());
  }

  /** Ends the mixing of immediate relays, because a block of one of them may be wrong. */
  separateRelays() {
    if (this.relays instanceof SeparateRelays) {
      return;
    }
    this.relays = new SeparateRelays(this);
    for (const sender of this.senders) {
      for (const generation of this.open) {
        if (sender.isImmediate() && generation.exclusive !== sender) {
          generation.division.take(sender);
        }
      }
    }
  }

  // Generations to open

  /** Returns true if there is a sender to ask that will soon have delivered what it was asked for. */
  canOpen() {
    if (this.open.length === 0) {
      return true;
    }
    for (const sender of this.senders) {
      if (!sender.isSilent && (sender.isOnProbation ? sender.probes === 0 : this.isSoonIdle(sender))) {
        return true;
      }
    }
    const only = this.senders.only();
    return only !== undefined && this.isSoonIdle(only);
  }

  isSoonIdle(sender) {
    return sender.outstanding
        <= Math.max(MIN_OPEN_BLOCKS, (REPORTS_OPEN + sender.log.lateReports()) * sender.pace);
  }

  // Blocks that are assigned

  /** Assigns the blocks of open generations that nobody is asked for. */
  assignAll() {
    for (const generation of this.open) {
      if (generation.division.unassigned > 0 && generation.isCollecting()) {
        if (generation.isQuarantined() && generation.exclusive === undefined) {
          this.assignToMostTrusted(generation);
        } else {
          this.assign(generation);
        }
      }
    }
  }

  /** Assigns the blocks of a generation that nobody is asked for. */
  assign(generation) {
    this.assignments++;
    const { division } = generation;
    if (generation.exclusive === undefined && division.unassigned === generation.missing()
        && (generation.rows.count === 0 || !this.hasCandidate())) {
      this.beginProbe(generation);
    }
    if (generation.exclusive === undefined) {
      this.divide(generation);
    } else {
      division.give(generation.exclusive, division.unassigned);
    }
    if (generation.rows.count === 0) {
      division.assignSources();
    }
  }

  /**
   * Makes a generation a probe if a sender is on probation. One that was silent in its probe comes again if there is
   * no other sender, or once in a while.
   */
  beginProbe(generation) {
    const isSilentProbed = this.assignments % RETRY_INTERVAL === RETRY_INTERVAL - 1 || !this.hasCandidate();
    const only = this.senders.only();
    let next;
    for (const sender of this.senders) {
      if (sender.isOnProbation && (sender.probes === 0 || sender === only) && (!sender.isSilent || isSilentProbed)
          && (next === undefined || sender.silences < next.silences)) {
        next = sender;
      }
    }
    if (next !== undefined) {
      this.probe(generation, next);
    }
  }

  probe(generation, sender) {
    sender.probes++;
    generation.isProbe = true;
    generation.exclusive = sender;
  }

  /** Returns true if there is a sender that is neither on probation nor silent. */
  hasCandidate() {
    for (const sender of this.senders) {
      if (!sender.isOnProbation && !sender.isSilent) {
        return true;
      }
    }
    return false;
  }

  /** Gives each block to the sender with the smallest backlog. */
  divide(generation) {
    const candidates = [...this.senders].filter((sender) => this.isCandidate(generation, sender));
    const areAllSilent = candidates.every((sender) => sender.isSilent);
    this.relays.prepare(generation);
    while (generation.division.unassigned > 0) {
      let least;
      for (const sender of this.senders) {
        if (this.isCandidate(generation, sender)
            && (areAllSilent || !sender.isSilent || this.isRetried(generation, sender))
            && (least === undefined || this.backlog(sender) < this.backlog(least))) {
          least = sender;
        }
      }
      if (least === undefined) {
        return;
      }
      generation.division.give(least, 1);
    }
  }

  isRetried(generation, silent) {
    return this.assignments % RETRY_INTERVAL === 0 && silent.outstanding === 0
        && generation.division.of(silent) === 0;
  }

  isCandidate(generation, sender) {
    return !sender.isOnProbation && (!sender.isImmediate() || this.relays.isCandidate(generation, sender));
  }

  speed(sender) {
    return sender.isImmediate() ? this.relays.speed(sender) : this.ownSpeed(sender);
  }

  /** Returns the time to deliver what is outstanding, and one block more, relative to others. */
  backlog(sender) {
    return (sender.outstanding + 1) / this.speed(sender);
  }

  /** Chooses the sender from which a generation in quarantine is fetched alone. */
  assignToMostTrusted(generation) {
    let best = this.mostTrusted(generation);
    if (best === undefined && generation.tried.size > 0) {
      generation.tried.clear();
      best = this.mostTrusted(generation);
    }
    if (best !== undefined) {
      generation.exclusive = best;
      this.assign(generation);
    }
  }

  mostTrusted(generation) {
    let best;
    for (const sender of this.senders) {
      if (!generation.tried.has(sender.number) && (best === undefined || sender.isPreferredTo(best))) {
        best = sender;
      }
    }
    return best;
  }

  /** Gives generations as probes to senders that came when the window was full. */
  moveProbes() {
    for (const sender of this.senders) {
      if (sender.isOnProbation && sender.probes === 0 && !sender.isSilent) {
        const generation = this.open.findLast((each) => this.isMovable(each));
        if (generation !== undefined) {
          this.takeAll(generation);
          this.endProbe(generation);
          this.probe(generation, sender);
          this.assign(generation);
        }
      }
    }
  }

  /** Returns true if nothing of a generation has arrived, and nothing can be on its way. */
  isMovable(generation) {
    if (!generation.isCollecting() || generation.isQuarantined() || generation.rows.count > 0) {
      return false;
    }
    if (generation.isProbe && generation.exclusive !== undefined) {
      return generation.exclusive.probes > 1;
    }
    const from = this.senders.at(generation.division.largestSlot());
    return from !== undefined && generation.exclusive === undefined
        && from.outstanding - generation.missing() >= REPORTS_AHEAD * from.deliveredLately();
  }

  // Blocks that are assigned again

  /**
   * Checks whether a sender delivers, before a report to it, and asks others for its blocks if not.
   * @returns the generations that it was to deliver alone and did not, of which others must be asked
   */
  watch(sender, innovative) {
    sender.endInterval();
    if (sender.outstanding <= sender.delivered * REPORTS_AHEAD) {
      this.takeFromBusiest(sender);
    }
    if (!isFoundSilent(sender, this.senders, this.open, innovative)) {
      return [];
    }
    const abandoned = this.open.filter((generation) => generation.exclusive === sender);
    if (canOthersDeliver(sender, this.senders, innovative)) {
      this.takeAllOf(sender);
      this.assignAll();
    }
    return abandoned;
  }

  /** Takes blocks from the sender with the largest backlog, so that both finish together. */
  takeFromBusiest(idle) {
    if (idle.isOnProbation || idle.isSilent) {
      return;
    }
    let busiest;
    for (const sender of this.senders) {
      if (busiest === undefined || this.backlog(sender) > this.backlog(busiest)) {
        busiest = sender;
      }
    }
    if (busiest === undefined || this.backlog(busiest) < 2 * this.backlog(idle)) {
      return;
    }
    const own = this.speed(idle);
    const other = this.speed(busiest);
    let rest = Math.trunc((busiest.outstanding * own - idle.outstanding * other) / (other + own));
    if (rest < MIN_TAKEN) {
      return;
    }
    for (let i = this.open.length - 1; i >= 0 && rest > 0; i--) {
      const generation = this.open[i];
      if (generation.exclusive === undefined && !generation.isQuarantined()
          && (!idle.isImmediate() || this.relays.canTakeOver(generation, idle))) {
        const moved = generation.division.move(busiest, idle, rest, generation.rows);
        if (moved > 0 && idle.isImmediate()) {
          this.relays.tookOver(generation, idle);
        }
        rest -= moved;
      }
    }
  }
}
