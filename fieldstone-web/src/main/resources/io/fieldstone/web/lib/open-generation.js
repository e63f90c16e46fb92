import { Division } from './division.js';

/** The exclusive bound of the attempts in reports. */
const MAX_ATTEMPTS = 64;

/** A generation that a receiver collects: its blocks, and how they are divided among senders. */
export class OpenGeneration {
  /**
   * @param {number} number
   * @param {import('./rows.js').Rows} rows
   */
  constructor(number, rows) {
    this.number = number;
    this.blocks = rows.n;
    this.rows = rows;
    this.division = new Division(rows.n);
    /** Whether it has a wrong hash, and waits until another one is out of quarantine. */
    this.isSuspended = false;
    /** Counts the fetches from the first block on, modulo 64. */
    this.attempt = 0;
    /** @type {import('./senders.js').Sender | undefined} the only sender to ask */
    this.exclusive = undefined;
    /** Whether the only sender to ask is on probation, which this generation may end. */
    this.isProbe = false;
    /** @type {import('./senders.js').Sender | undefined} the only immediate relay to ask, once they are not mixed */
    this.relay = undefined;
    /** @type {import('./rows.js').Rows | undefined} the blocks with the wrong hash, in quarantine */
    this.evidence = undefined;
    /** The numbers of the senders that failed to deliver it alone. */
    this.tried = new Set();
  }

  isCollecting() {
    return !this.isSuspended && !this.rows.isComplete();
  }

  missing() {
    return this.blocks - this.rows.count;
  }

  isQuarantined() {
    return this.evidence !== undefined;
  }

  /** Removes all blocks, and begins the next attempt. */
  restart() {
    this.rows.clear();
    this.attempt = (this.attempt + 1) % MAX_ATTEMPTS;
    this.isSuspended = false;
  }
}
