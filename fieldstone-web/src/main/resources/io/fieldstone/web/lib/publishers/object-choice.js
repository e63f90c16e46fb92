import { Publishers } from './publishers.js';

/** The time for which other servers are waited for once one has the object, signed by a publisher. */
const CHOICE_MILLIS = 3_000;

const MIN_ID_DIGITS = 8;

/**
 * Chooses the object that a query stands for, from the answers of servers: of the entries that a publisher has signed,
 * the newest of each publisher.
 * @template L the links to servers
 */
export class ObjectChoice {
  /**
   * @param {string} query a name, or at least 8 lower-case digits of an id
   * @param {string[]} publishers their keys, of which one must have signed the entry
   * @param {Record<string, number>} seen by publisher, the time of the newest record of this name that was used
   */
  constructor(query, publishers, seen) {
    this.query = query;
    this.keys = publishers;
    this.seen = seen;
    this.publishers = Publishers.of(publishers);
    this.publishers.catch(() => {}); // whoever answers first hears of it
    /** @type {Map<L, {entries: import('../messages.js').Entry[], signed: import('./publishers.js').Signed[]}>} */
    this.answers = new Map();
    /** The id that was chosen; empty until then. */
    this.id = '';
    /** @type {import('./publishers.js').Signed | undefined} the record that decided */
    this.record = undefined;
    this.firstAnswer = 0;
  }

  isAskedFor(entry) {
    return entry.name === this.query || this.query.length >= MIN_ID_DIGITS && entry.id.startsWith(this.query);
  }

  /** Verifies and keeps the answer of a server. */
  async add(link, entries) {
    const publishers = await this.publishers;
    const asked = entries.filter((entry) => this.isAskedFor(entry));
    const signed = (await Promise.all(asked.map((entry) => publishers.signatures(entry)))).flat();
    this.firstAnswer ||= performance.now();
    this.answers.set(link, { entries, signed });
  }

  /** Forgets the answer of a server whose connection is lost. */
  remove(link) {
    this.answers.delete(link);
  }

  /**
   * Chooses, unless the answers of other servers are worth waiting for.
   * @param {boolean} isWaiting whether servers have still to answer
   * @returns true if the choice is made
   * @throws {Error} if there are several objects, or an older one than was used before
   */
  choose(isWaiting) {
    const signed = [...this.answers.values()].flatMap((answer) => answer.signed);
    const isLate = performance.now() - this.firstAnswer > CHOICE_MILLIS;
    if (signed.length === 0 || isWaiting && !isLate) {
      return false;
    }
    const newest = signed.filter((one) => !signed.some((other) =>
        other.publisher === one.publisher && other.name === one.name && other.seconds > one.seconds));
    const ids = [...new Set(newest.map((record) => record.id))];
    if (ids.length > 1) {
      throw new Error(`'${this.query}' has several objects: ${ids.join(', ')}`);
    }
    const record = newest.reduce((one, other) => other.seconds > one.seconds ? other : one);
    const before = this.seen[record.publisher] ?? 0;
    if (record.name === this.query && before > record.seconds) {
      throw new Error(`the record of ${record.name} by ${record.publisher} is older than one that was used: it has `
          + `${timeText(record.seconds)}, and the newer one ${timeText(before)}`);
    }
    [this.id] = ids;
    this.record = record;
    return true;
  }

  /** Returns why a server cannot be used, whose answer does not have the chosen object. */
  another(link) {
    const { entries, signed } = /** @type {any} */ (this.answers.get(link));
    if (entries.length === 0) {
      return 'it does not have the file';
    }
    const [{ id }] = entries;
    const record = signed.find((each) => each.id === id);
    return `it has another object of this name: ${id}`
        + (record === undefined ? '' : `, signed with ${timeText(record.seconds)}`);
  }

  /** Returns why nothing of an answer can be chosen; empty if there is no answer. */
  problem(link) {
    const answer = this.answers.get(link);
    if (answer === undefined) {
      return '';
    }
    const [first] = answer.entries;
    if (first === undefined) {
      return 'it does not have the file';
    }
    if (first.records.length === 0) {
      return `its object ${first.id} is not signed`;
    }
    const [{ publisher }] = first.records;
    return this.keys.includes(publisher)
        ? `the signature of its object ${first.id} is not valid` : `its object ${first.id} is signed by ${publisher}`;
  }

  /** Returns the message for a choice of nothing, which the problems of the servers follow. */
  absence() {
    return `no server has ${this.query} signed by ${this.keys.join(' or ')}`;
  }
}

function timeText(seconds) {
  return seconds === 0 ? 'no time' : new Date(1000 * seconds).toISOString().replace('.000', '');
}
