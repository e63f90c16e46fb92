/** The latest sources, and times, that are known one by one. */
const SLOTS = 1 << 14;
const MARKS = 1 << 10;

/** Sources come this much later than those late before, at the most. */
const LATENESS_MARGIN = 1.25;

/** The time in which the lateness that is waited for falls by half, if none is late. */
const HALF_LIFE_NANOS = 10e9;

/** More lateness than this is loss. */
const MAX_LATENESS_NANOS = 250e6;

/**
 * Counts which sources of a sender arrived and which the path lost; the port of the class of the same name. A source
 * that others overtake counts as lost only after the time by which sources were late before.
 */
export class LossCounter {
  constructor() {
    this.arrived = new Uint8Array(SLOTS);
    this.arrivalNanos = new Float64Array(SLOTS);
    this.markNanos = new Float64Array(MARKS);
    this.markEnds = new Float64Array(MARKS);
    this.firstMark = 0;
    this.nextMark = 0;
    /** The sources below this number have been sent. */
    this.knownEnd = 0;
    this.highest = -1;
    this.highestNanos = 0;
    this.highestRepair = -1;
    this.decidedEnd = 0;
    this.lost = 0;
    this.lossRuns = 0;
    this.beforeLoss = -1;
    this.beforeLossNanos = 0;
    this.isLastLost = false;
    this.latenessNanos = 0;
    this.latenessSetNanos = 0;
  }

  /**
   * Counts a source that arrived.
   * @param {number} number
   * @param {number} now
   * @returns {boolean} whether it is new
   */
  onSource(number, now) {
    const isNew = number >= this.knownEnd;
    if (isNew) {
      this.know(number + 1, now);
    } else if (number < this.knownEnd - SLOTS || this.arrived[number % SLOTS] === 1) {
      return false;
    }
    this.arrived[number % SLOTS] = 1;
    this.arrivalNanos[number % SLOTS] = now;
    if (!isNew) {
      this.observeLate(number, now);
    }
    if (number > this.highest) {
      this.highest = number;
      this.highestNanos = now;
    }
    return true;
  }

  /** Takes note that the sources below a number have been sent. */
  know(end, now) {
    if (end - this.decidedEnd > SLOTS) {
      this.decide(end - SLOTS);
    }
    for (let next = Math.max(this.knownEnd, end - SLOTS); next < end; next++) {
      this.arrived[next % SLOTS] = 0;
    }
    this.knownEnd = end;
    if (this.nextMark - this.firstMark === MARKS) {
      this.decide(this.markEnds[this.firstMark++ % MARKS]);
    }
    this.markNanos[this.nextMark % MARKS] = now;
    this.markEnds[this.nextMark % MARKS] = end;
    this.nextMark++;
  }

  /**
   * Counts a repair that arrived.
   * @param {number} number
   * @param {number} end the number after the last source that it covers
   * @param {number} now
   */
  onRepair(number, end, now) {
    this.highestRepair = Math.max(this.highestRepair, number);
    if (end > this.knownEnd) {
      this.know(end, now);
    }
  }

  /** A source that was overtaken is late by the time since the first one beyond it arrived. */
  observeLate(number, now) {
    let overtaken = now;
    for (let next = number + 1; next < this.knownEnd; next++) {
      if (this.arrived[next % SLOTS] === 1) {
        overtaken = Math.min(overtaken, this.arrivalNanos[next % SLOTS]);
        break;
      }
    }
    const late = Math.min(LATENESS_MARGIN * (now - overtaken), MAX_LATENESS_NANOS);
    if (late >= this.lateness(now)) {
      this.latenessNanos = late;
      this.latenessSetNanos = now;
    }
  }

  lateness(now) {
    return this.latenessNanos * 0.5 ** ((now - this.latenessSetNanos) / HALF_LIFE_NANOS);
  }

  decide(end) {
    for (; this.decidedEnd < Math.min(end, this.knownEnd); this.decidedEnd++) {
      const isLost = this.arrived[this.decidedEnd % SLOTS] === 0;
      if (isLost && !this.isLastLost && this.decidedEnd > 0) {
        this.beforeLoss = this.decidedEnd - 1;
        this.beforeLossNanos = this.arrivalNanos[this.beforeLoss % SLOTS];
      }
      this.count(isLost, 1);
    }
    if (this.decidedEnd < end) {
      this.count(true, end - this.decidedEnd);
      this.decidedEnd = end;
    }
  }

  count(isLost, sources) {
    if (isLost) {
      this.lost += sources;
      this.lossRuns += this.isLastLost ? 0 : 1;
    }
    this.isLastLost = isLost;
  }

  /** Decides on the sources that were overtaken long enough ago. */
  update(now) {
    const limit = now - this.lateness(now);
    while (this.firstMark < this.nextMark && this.markNanos[this.firstMark % MARKS] <= limit) {
      this.decide(this.markEnds[this.firstMark++ % MARKS]);
    }
  }

  /** Returns how many sources may still be late. */
  undecided() {
    let late = 0;
    for (let next = this.decidedEnd; next < this.knownEnd; next++) {
      late += this.arrived[next % SLOTS] === 1 ? 0 : 1;
    }
    return late;
  }
}
