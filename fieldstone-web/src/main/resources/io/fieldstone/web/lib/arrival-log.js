import { MalformedDataError } from './bytes.js';

const NONE = -1;
const MIN_HISTORY = 1 << 12;
const MAX_HISTORY = 1 << 15;

/** The part of the lateness that stays from report to report if no packet is as late. */
const LATENESS_DECAY = 31 / 32;

/** The reports, 16 round trips, after which a packet is lost and not late. */
const MAX_LATENESS = 64;

/**
 * The packets of one sender that arrived, by their sequence numbers: tells repetitions, and chooses the cut of each
 * report. Where packets overtake each other, the cut is older by as many reports as they were late.
 */
export class ArrivalLog {
  constructor() {
    /** Whether the packet arrived whose number modulo the history is the index. */
    this.seen = new Uint8Array(MIN_HISTORY);
    /** The generations of the last packets, once one was late; empty before. */
    this.generations = new Int32Array(0);
    this.generationsFrom = 0;
    /** The packets that arrived. */
    this.arrived = 0;
    /** The highest sequence number that arrived, plus 1. */
    this.end = 0;
    /** Packets before it count as lost in the next report if they are missing. */
    this.cut = 0;
    this.arrivedAfterCut = 0;
    this.lateness = 0;
    this.ends = new Float64Array(MAX_LATENESS + 2);
    this.reports = 0;
  }

  /** Returns the full sequence number that ends with 32 bits. */
  sequence(low) {
    const sequence = this.end + (low - (this.end % 2 ** 32) | 0);
    if (sequence < 0 || sequence > Number.MAX_SAFE_INTEGER - 2 ** 32) {
      throw new MalformedDataError(`sequence number ${sequence} after ${this.end}`);
    }
    return sequence;
  }

  /** Returns the packets that are missing and not expected any more. */
  lost() {
    return this.lateness === 0 ? this.end - this.arrived : this.cut - (this.arrived - this.arrivedAfterCut);
  }

  /** Returns the reports for which packets lately were late. */
  lateReports() {
    return Math.ceil(this.lateness);
  }

  /** Notes a packet; returns false if it is a repetition, or too old to tell. */
  note(sequence, generation) {
    if (sequence >= this.end) {
      this.advance(sequence + 1);
    } else if (sequence < this.end - this.seen.length) {
      this.remember(this.end - sequence);
      return false;
    } else if (this.seen[this.at(sequence)] !== 0) {
      return false;
    } else {
      this.noteLate(sequence);
    }
    this.seen[this.at(sequence)] = 1;
    if (this.generations.length > 0) {
      this.generations[this.at(sequence)] = generation;
    }
    this.arrived++;
    this.arrivedAfterCut += sequence >= this.cut ? 1 : 0;
    return true;
  }

  advance(newEnd) {
    if (newEnd - this.end >= this.seen.length) {
      this.seen.fill(0);
      this.generations.fill(NONE);
    } else {
      for (let s = this.end; s < newEnd; s++) {
        this.seen[this.at(s)] = 0;
        if (this.generations.length > 0) {
          this.generations[this.at(s)] = NONE;
        }
      }
    }
    this.end = newEnd;
  }

  /** Makes the history longer, so that the next packets as late are known. */
  remember(packets) {
    const before = this.seen.length;
    if (before === MAX_HISTORY) {
      return;
    }
    let length = before;
    while (length < Math.min(packets, MAX_HISTORY)) {
      length *= 2;
    }
    const { seen, generations } = this;
    this.seen = new Uint8Array(length).fill(1); // those before the history: it is not known whether they arrived
    this.generations = generations.length === 0 ? generations : new Int32Array(length).fill(NONE);
    this.generationsFrom = Math.max(this.generationsFrom, this.end - before);
    for (let s = Math.max(0, this.end - before); s < this.end; s++) {
      this.seen[this.at(s)] = seen[s % before];
      if (generations.length > 0) {
        this.generations[this.at(s)] = generations[s % before];
      }
    }
  }

  /** A packet that arrives before the second next report is not late: none counted it as lost. */
  noteLate(sequence) {
    const { ends, reports } = this;
    let past = 0;
    while (past < Math.min(reports, ends.length) && ends[(reports - 1 - past) % ends.length] > sequence) {
      past++;
    }
    this.lateness = Math.max(this.lateness, Math.min(past - 1, MAX_LATENESS));
    if (this.lateness > 0 && this.generations.length === 0) {
      this.generations = new Int32Array(this.seen.length).fill(NONE);
      this.generationsFrom = this.end;
    }
  }

  /** Chooses the cut of the next report. */
  moveCut() {
    const { ends } = this;
    ends[this.reports % ends.length] = this.end;
    const late = Math.min(this.lateReports(), this.reports);
    const old = ends[(this.reports++ - late) % ends.length];
    this.lateness = this.lateness < 0.5 ? 0 : this.lateness * LATENESS_DECAY;
    this.cut = late === 0
        ? this.end : Math.max(this.cut, old, this.generationsFrom, this.end - this.seen.length);
    this.arrivedAfterCut = 0;
    for (let s = this.cut; s < this.end; s++) {
      this.arrivedAfterCut += this.seen[this.at(s)];
    }
  }

  /** Returns the generation of a packet from the cut on; −1 if it is missing. */
  generationOf(sequence) {
    return this.generations[this.at(sequence)];
  }

  at(sequence) {
    return sequence % this.seen.length;
  }
}
