/** The beginning of the keys under which times are kept. */
const PREFIX = 'fieldstone-record';

/**
 * The times of the newest records of publishers that were used for a name, so that no server can hand out an older one.
 * They are kept in the storage of the page, if it has one.
 */
export class SeenRecords {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
    /** @type {Storage | undefined} */
    this.storage = undefined;
    try {
      this.storage = globalThis.localStorage;
    } catch {
      // The page may not keep anything.
    }
  }

  keyOf(publisher) {
    return `${PREFIX} ${publisher} ${this.name}`;
  }

  /**
   * Returns the time of each publisher, in seconds since 1970; 0 for none.
   * @param {string[]} publishers
   */
  seconds(publishers) {
    return Object.fromEntries(
        publishers.map((publisher) => [publisher, Number(this.storage?.getItem(this.keyOf(publisher)) ?? 0)]));
  }

  /** Remembers the record of an object, unless the object was asked for by its id. */
  add({ name, publisher, signedSeconds }) {
    if (name !== this.name || signedSeconds <= (this.seconds([publisher])[publisher] || 0)) {
      return;
    }
    try {
      this.storage?.setItem(this.keyOf(publisher), String(signedSeconds));
    } catch {
      // The storage is full.
    }
  }
}
