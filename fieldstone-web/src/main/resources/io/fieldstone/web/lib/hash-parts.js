import { MalformedDataError } from './bytes.js';
import { FIRST_HASHES, hashesRequest, MAX_HASHES } from './messages.js';

const HASH_BYTES = 32;

/** The parts that a sender is asked for ahead. */
const MAX_ASKED = 2;

/** The senders that are asked for the same part at a time. */
const MAX_SENDERS = 3;

/**
 * Collects the hashes of all generations in parts, from several senders at once. A part that one sender was asked for
 * and has not sent is asked of further senders, once there is nothing else to ask for.
 *
 * Only all hashes together can be verified. If parts of several senders prove wrong, one sender is asked for all of
 * them, and the right hashes then identify the senders of wrong ones.
 *
 * @template S
 */
export class HashParts {
  /** @param {number} generations */
  constructor(generations) {
    this.generations = generations;
    this.hashes = new Uint8Array(HASH_BYTES * generations);
    /** @type {Map<number, S>} the sender of each part that has arrived */
    this.sources = new Map();
    /** @type {Map<S, number[]>} the parts that each sender was asked for and has not sent, in order */
    this.asked = new Map();
    /** @type {S | undefined} the only sender to ask */
    this.alone = undefined;
    /** @type {Map<number, {sender: S, hashes: Uint8Array}>} parts of several senders that did not match the object */
    this.doubtful = new Map();
  }

  parts() {
    return Math.min(1, this.generations) + Math.ceil(Math.max(0, this.generations - FIRST_HASHES) / MAX_HASHES);
  }

  first(part) {
    return part === 0 ? 0 : FIRST_HASHES + (part - 1) * MAX_HASHES;
  }

  end(part) {
    return Math.min(this.first(part + 1), this.generations);
  }

  askedOf(sender) {
    const own = this.asked.get(sender) ?? [];
    this.asked.set(sender, own);
    return own;
  }

  /** Takes note that a sender sends its first hashes without a request. */
  expectFirst(sender) {
    if (this.generations > 0) {
      this.askedOf(sender).push(0);
    }
  }

  /** Returns the requests to a sender now. */
  requests(sender, alias) {
    const own = this.askedOf(sender);
    const requests = [];
    while (own.length < MAX_ASKED && (this.alone === undefined || this.alone === sender)) {
      const part = this.nextPart(own);
      if (part === undefined) {
        break;
      }
      own.push(part);
      requests.push(hashesRequest(alias, this.first(part), this.end(part) - this.first(part)));
    }
    return requests;
  }

  /** Returns the missing part that the fewest senders are asked for. */
  nextPart(own) {
    const counts = new Map();
    for (const part of [...this.asked.values()].flat()) {
      counts.set(part, (counts.get(part) ?? 0) + 1);
    }
    let most = this.alone === undefined ? MAX_SENDERS : Infinity;
    let best;
    for (let part = 0; part < this.parts() && most > 0; part++) {
      const count = counts.get(part) ?? 0;
      if (count < most && !this.sources.has(part) && !own.includes(part)) {
        best = part;
        most = count;
      }
    }
    return best;
  }

  /** Adds hashes, which must be all that the next request to the sender asked for. */
  add(sender, first, hashes) {
    const part = this.askedOf(sender).shift();
    const count = hashes.length / HASH_BYTES;
    if (part === undefined || first !== this.first(part) || count !== this.end(part) - first) {
      throw new MalformedDataError(`hashes ${first} … ${first + count - 1} out of order`);
    }
    if (this.alone !== undefined && this.alone !== sender || this.sources.has(part)) {
      return;
    }
    this.hashes.set(hashes, HASH_BYTES * first);
    this.sources.set(part, sender);
  }

  /** Forgets what a sender was asked for, because it has left. Its hashes stay. */
  remove(sender) {
    this.asked.delete(sender);
    if (this.alone === sender) {
      this.restart(undefined);
    }
  }

  isAwaited(sender) {
    return this.askedOf(sender).length > 0;
  }

  isComplete() {
    return this.sources.size === this.parts();
  }

  /** Returns true if a sender is to be chosen that is asked alone. */
  needsSender() {
    return this.doubtful.size > 0 && this.alone === undefined;
  }

  /**
   * Forgets hashes that are not those of the object.
   * @returns {S[]} the only sender of them; nobody if senders are to be asked alone until it is known
   */
  wrong() {
    const senders = [...new Set(this.sources.values())];
    if (senders.length > 1) {
      this.doubtful = new Map([...this.sources].map(([part, sender]) => [part, { sender, hashes: this.part(part) }]));
    }
    this.restart(undefined);
    return senders.length > 1 ? [] : senders;
  }

  part(part) {
    return this.hashes.slice(HASH_BYTES * this.first(part), HASH_BYTES * this.end(part));
  }

  /** Asks one sender for all hashes. */
  startAlone(sender) {
    this.restart(sender);
  }

  /** Returns the senders whose parts differ from the right hashes, which have arrived. */
  wrongSenders() {
    const wrong = new Set();
    for (const [part, { sender, hashes }] of this.doubtful) {
      const right = this.part(part);
      if (!hashes.every((byte, at) => byte === right[at])) {
        wrong.add(sender);
      }
    }
    return wrong;
  }

  restart(only) {
    this.sources.clear();
    this.alone = only;
  }
}
