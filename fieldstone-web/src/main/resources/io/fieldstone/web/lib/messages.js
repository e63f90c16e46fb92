// Control messages (docs/network.md, "Protocol"). A sender is a server or a relay, and this side the receiver.

import { ByteReader, ByteWriter, fromHex, MalformedDataError, toHex } from './bytes.js';
import { Manifest } from './manifest.js';
import { MAX_ALIASES } from './packet.js';

/** The version of the protocol. */
export const VERSION = 2;

/** The maximum number of hashes in one message, and of those that follow the answer to a question. */
export const MAX_HASHES = 1900;
export const FIRST_HASHES = 512;

/** The maximum bytes of a message. */
export const MAX_MESSAGE_BYTES = 65_536;

/**
 * The codes with which a session closes its connection.
 * @type {Readonly<Record<string, number>>}
 */
export const CloseCode = Object.freeze({
  TOKEN: 16, VERSION: 17, MALFORMED: 18, LIMIT: 19, STOPPING: 20, FULL: 21, STALLED: 22, CONVICTED: 23, STARTING: 24,
});

/**
 * The roles of peers.
 * @type {Readonly<Record<string, number>>}
 */
export const Role = Object.freeze({ RECEIVER: 0, ORIGIN: 1, VERIFIED_RELAY: 2, IMMEDIATE_RELAY: 3 });

const HELLO = 1;
const LIST = 2;
const CATALOGUE = 3;
const FIND = 4;
const FOUND = 5;
const OPEN = 6;
const OPENED = 7;
const REFUSED = 8;
const HASHES_REQUEST = 9;
const HASHES = 10;
const PACING = 13;
const ENDED = 15;
const POLLUTED = 16;

const MAX_TOKEN_BYTES = 255;
const MAX_TEXT_BYTES = 1000;
const MAX_PATH_BYTES = 4096;
const MAX_NAME_BYTES = 255;
const MAX_RECORDS = 16;
const MAX_HOPS = 15;
const MAX_REASON = 4;

/**
 * A line of a catalogue. Its name and records come from a server: show them as text only.
 * @typedef {object} Entry
 * @property {string} name the file name, or the path below a served folder
 * @property {string} id the identity of the object, 64 hexadecimal digits
 * @property {number} length the bytes that are coded
 * @property {number} hops the number of relays to a server that has the object
 * @property {{publisher: string, seconds: number, signature: Uint8Array}[]} records what publishers signed, unverified
 */

/** @param {(writer: ByteWriter) => void} write */
function message(type, maxBytes, write) {
  const writer = new ByteWriter(1 + maxBytes);
  writer.u8(type);
  write(writer);
  return writer.written();
}

/** @param {string} token */
export function hello(token) {
  return message(HELLO, 5 + MAX_TOKEN_BYTES, (out) => {
    out.u16(VERSION);
    out.u8(Role.RECEIVER);
    out.text(token, MAX_TOKEN_BYTES);
  });
}

export function listRequest() {
  return message(LIST, 0, () => {});
}

/** @param {string} query a name, or at least 8 digits of an id */
export function find(query) {
  return message(FIND, 2 + MAX_PATH_BYTES, (out) => out.text(query, MAX_PATH_BYTES));
}

/** @param {string} id */
export function open(id) {
  return message(OPEN, 32, (out) => out.bytes(fromHex(id, 32)));
}

export function hashesRequest(alias, first, count) {
  return message(HASHES_REQUEST, 10, (out) => {
    out.u16(alias);
    out.u32(first);
    out.u32(count);
  });
}

/** @param {number} bytesPerSecond the maximum rate */
export function pacing(bytesPerSecond) {
  return message(PACING, 9, (out) => {
    out.u64(BigInt(bytesPerSecond));
    out.u8(0); // not by CUBIC
  });
}

export function polluted(alias, generation) {
  return message(POLLUTED, 6, (out) => {
    out.u16(alias);
    out.u32(generation);
  });
}

/**
 * Parses a message of a sender.
 * @param {Uint8Array} bytes exactly one message
 */
export function parse(bytes) {
  const reader = new ByteReader(bytes);
  const type = reader.u8();
  const parsed = parseBody(type, reader);
  if (reader.remaining() > 0) {
    throw new MalformedDataError(`${reader.remaining()} bytes after a control message of type ${type}`);
  }
  return parsed;
}

function parseBody(type, reader) {
  switch (type) {
    case HELLO:
      return {
        type: 'hello',
        version: reader.u16(),
        role: reader.below('role', reader.u8(), 4),
        token: reader.text(MAX_TOKEN_BYTES),
      };
    case CATALOGUE: {
      const flags = reader.below('flags', reader.u8(), 4);
      return { type: 'catalogue', isFirst: (flags & 1) !== 0, isLast: (flags & 2) !== 0, entries: entries(reader) };
    }
    case FOUND:
      return { type: 'found', entries: entries(reader) };
    case OPENED: {
      const number = alias(reader);
      const manifest = new Manifest(reader.bytes(reader.u8()));
      const high = reader.u32() | 0;
      return { type: 'opened', alias: number, manifest, seed: { high, low: reader.u32() | 0 } };
    }
    case REFUSED:
      return { type: 'refused', id: toHex(reader.bytes(32)), ...reason(reader) };
    case HASHES:
      return { type: 'hashes', alias: alias(reader), first: natural(reader), hashes: hashes(reader) };
    case ENDED:
      return { type: 'ended', alias: alias(reader), ...reason(reader) };
    default:
      throw new MalformedDataError(`unknown type of control message ${type} from a sender`);
  }
}

function alias(reader) {
  return reader.below('alias', reader.u16(), MAX_ALIASES);
}

function natural(reader) {
  return reader.below('number', reader.u32(), 2 ** 31);
}

function reason(reader) {
  return { code: reader.below('reason', reader.u8(), MAX_REASON + 1), text: reader.text(MAX_TEXT_BYTES) };
}

/** Returns a copy of hashes, 32 bytes each. */
function hashes(reader) {
  return reader.bytes(32 * reader.below('number of hashes', reader.u16(), MAX_HASHES + 1)).slice();
}

/** @returns {Entry[]} */
function entries(reader) {
  return Array.from({ length: reader.u16() }, () => {
    const id = toHex(reader.bytes(32));
    const length = reader.safe('length');
    const hops = reader.below('hops', reader.u8(), MAX_HOPS + 1);
    const name = requireOffered(reader.text(MAX_PATH_BYTES));
    const count = reader.below('number of records', reader.u8(), MAX_RECORDS + 1);
    const records = Array.from({ length: count }, () => ({
      publisher: `ed25519:${toHex(reader.bytes(32))}`,
      seconds: reader.safe('time'),
      signature: reader.bytes(64).slice(),
    }));
    return { name, id, length, hops, records };
  });
}

/** Refuses names that are no paths below a folder, or that a terminal obeys. */
function requireOffered(path) {
  for (const name of path.split('/')) {
    const bytes = new TextEncoder().encode(name).length;
    if (name === '' || name === '.' || name === '..' || bytes > MAX_NAME_BYTES || /[\\\p{Cc}]/u.test(name)) {
      const shown = name.slice(0, 40).replace(/\p{Cc}/gu, '?');
      throw new MalformedDataError(`entry: '${shown}' is not a file name on offer`);
    }
  }
  return path;
}
