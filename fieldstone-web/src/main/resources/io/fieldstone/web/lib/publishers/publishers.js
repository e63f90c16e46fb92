// What publishers have signed about names and ids (docs/format.md, "Publisher record"): Ed25519 of WebCrypto.

import { ByteWriter, fromHex } from '../bytes.js';

const PREFIX = 'ed25519:';
const KEY_BYTES = 32;
const MAX_NAME_BYTES = 4096;

/** The first bytes of what is signed, of a record without a time and of one with it. */
const MAGIC = 'FSTPUB\0\u0002';
const TIMED_MAGIC = 'FSTPUB\0\u0003';

/** The public key of test 1 in RFC 8032, Section 7.1, by which a browser shows whether it has Ed25519. */
const KNOWN_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';

/**
 * The signed statement of a publisher that a name stands for an object.
 * @typedef {object} Signed
 * @property {string} publisher `ed25519:` and the digits of the public key
 * @property {string} name
 * @property {string} id
 * @property {number} seconds the time in seconds since 1970; 0 if there is none
 */

/** Returns the bytes that a publisher has signed. */
function signedBytes(publisher, name, id, seconds) {
  const out = new ByteWriter(MAGIC.length + KEY_BYTES + 8 + 32 + 2 + MAX_NAME_BYTES);
  out.bytes(new TextEncoder().encode(seconds === 0 ? MAGIC : TIMED_MAGIC));
  out.bytes(publisher);
  if (seconds !== 0) {
    out.u64(BigInt(seconds));
  }
  out.bytes(fromHex(id, 32));
  out.text(name, MAX_NAME_BYTES);
  return out.written();
}

function importKey(bytes) {
  return crypto.subtle.importKey('raw', bytes, { name: 'Ed25519' }, false, ['verify']);
}

/** Some publishers, whose records are verified. */
export class Publishers {
  /** @param {string[]} keys */
  constructor(keys) {
    this.keys = keys;
    /** @type {Map<string, Promise<CryptoKey>>} */
    this.imported = new Map();
  }

  /**
   * Returns the publishers of some keys.
   * @param {string[]} keys
   * @throws {Error} if this browser, or this page, cannot verify signatures
   */
  static async of(keys) {
    if (globalThis.crypto?.subtle === undefined) {
      throw new Error('publishers cannot be verified: the page is not from HTTPS or a loopback address');
    }
    try {
      await importKey(fromHex(KNOWN_KEY, KEY_BYTES));
    } catch {
      throw new Error('publishers cannot be verified: this browser has no Ed25519');
    }
    return new Publishers(keys);
  }

  /**
   * Returns what these publishers have signed about an entry.
   * @param {import('../messages.js').Entry} entry
   * @returns {Promise<Signed[]>}
   */
  async signatures({ name, id, records }) {
    const mine = records.filter((record) => this.keys.includes(record.publisher));
    const valid = await Promise.all(mine.map((record) => this.isValid(record, name, id)));
    return mine.filter((_, at) => valid[at]).map(({ publisher, seconds }) => ({ publisher, name, id, seconds }));
  }

  async isValid({ publisher, seconds, signature }, name, id) {
    const bytes = fromHex(publisher.slice(PREFIX.length), KEY_BYTES);
    try {
      const key = this.imported.get(publisher) ?? importKey(bytes);
      this.imported.set(publisher, key);
      return await crypto.subtle.verify({ name: 'Ed25519' }, await key, signature,
          signedBytes(bytes, name, id, seconds));
    } catch {
      return false; // no point of the curve, or no possible signature
    }
  }
}
