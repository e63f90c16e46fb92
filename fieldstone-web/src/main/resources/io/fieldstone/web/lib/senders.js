import { ArrivalLog } from './arrival-log.js';

/** The kinds of senders, in the order in which a receiver prefers them for a suspect generation. */
export const ORIGIN = 0;
export const RELAY = 1;
export const IMMEDIATE = 2;

/** Each report without deliveries multiplies the pace of a sender by this factor. */
const PACE_DECAY = 0.9;

/** The receiver's record of one sender. */
export class Sender {
  constructor(number, slot, seed, kind, alias) {
    /** Its number, which is never used again. */
    this.number = number;
    /** The index of its counts, which is used again once it has left. */
    this.slot = slot;
    /** The seed of its coded blocks. */
    this.seed = seed;
    this.kind = kind;
    /** The number of the object on its connection. */
    this.alias = alias;
    this.log = new ArrivalLog();
    /** Whether none of its generations has been verified. */
    this.isOnProbation = true;
    /** Whether it delivered nothing when others waited for it. */
    this.isSilent = false;
    /** The open generations that it serves alone while on probation. */
    this.probes = 0;
    this.strikes = 0;
    /** The verified generations that it sent blocks of. */
    this.verified = 0;
    /** The sum of its shares. */
    this.outstanding = 0;
    /** The innovative blocks delivered lately; older ones count less. */
    this.recent = 0;
    this.deliveredSinceReport = 0;
    /** The innovative blocks delivered between the last two reports. */
    this.delivered = 0;
    /** The most innovative blocks delivered between two reports of the last ones. */
    this.pace = 0;
    // For how long it has delivered nothing, in reports; see silence.js.
    this.quietReports = 0;
    this.awaitedReports = 0;
    this.pausedReports = 0;
    this.silences = 0;
    this.deliveredOfPause = 0;
    this.innovativeOfAll = 0;
  }

  isImmediate() {
    return this.kind === IMMEDIATE;
  }

  /** Returns true if it is trusted more than another: tested, an origin, long without fault. */
  isPreferredTo(other) {
    if (this.isOnProbation !== other.isOnProbation) {
      return other.isOnProbation;
    }
    if (this.kind !== other.kind) {
      return this.kind < other.kind;
    }
    if (this.strikes !== other.strikes) {
      return this.strikes < other.strikes;
    }
    return this.verified > other.verified;
  }

  /** Ends the interval before a report. */
  endInterval() {
    this.delivered = this.deliveredSinceReport;
    this.pace = Math.max(this.delivered, PACE_DECAY * this.pace);
    this.deliveredSinceReport = 0;
  }

  deliveredLately() {
    return Math.max(this.delivered, this.deliveredSinceReport);
  }
}

/** The senders of a receiver, in the order of their slots. */
export class Senders {
  constructor() {
    /** @type {(Sender | undefined)[]} */
    this.bySlot = [];
    /** @type {Map<number, Sender>} */
    this.byNumber = new Map();
    this.nextNumber = 0;
  }

  add(seed, kind, alias) {
    let slot = 0;
    while (this.bySlot[slot] !== undefined) {
      slot++;
    }
    const added = new Sender(this.nextNumber++, slot, seed, kind, alias);
    this.bySlot[slot] = added;
    this.byNumber.set(added.number, added);
    return added;
  }

  remove(sender) {
    this.bySlot[sender.slot] = undefined;
    this.byNumber.delete(sender.number);
  }

  get(number) {
    return this.byNumber.get(number);
  }

  at(slot) {
    return this.bySlot[slot];
  }

  slots() {
    return this.bySlot.length;
  }

  count() {
    return this.byNumber.size;
  }

  /**
   * Returns the only sender, which is asked for any number of generations while on probation, because there is nobody
   * to mix it with. An immediate relay is not: it has little to send at first.
   */
  only() {
    if (this.count() !== 1) {
      return undefined;
    }
    const [only] = this.byNumber.values();
    return only.isImmediate() ? undefined : only;
  }

  *[Symbol.iterator]() {
    for (const sender of this.bySlot) {
      if (sender !== undefined) {
        yield sender;
      }
    }
  }
}
