// Datagrams between senders and receivers (docs/format.md, "Packets").

import { ByteReader, MalformedDataError } from './bytes.js';

/** The exclusive bound of aliases. */
export const MAX_ALIASES = 1 << 14;

export const SOURCE = 0;
export const SEEDED = 1;
export const EXPLICIT = 2;
export const REPORT = 3;

/** The minimum bytes of memory for a report: its numbers and one item. */
export const MIN_REPORT_BYTES = 1 + 2 + 6 * 8 + 11;

const UNVERIFIED = 4;
const MAX_INDICES = 2 ** 30;

/**
 * Reads the header of a data packet.
 * @param {Uint8Array} packet
 * @param {import('./manifest.js').Manifest} manifest
 */
export function readHeader(packet, manifest) {
  const reader = new ByteReader(packet);
  const first = readKind(reader);
  const kind = first & 3;
  if (kind === REPORT) {
    throw new MalformedDataError('a report where a data packet is expected');
  }
  const alias = reader.varint('alias', MAX_ALIASES);
  const sequence = reader.u32();
  const generation = reader.varint('generation', manifest.generations);
  const index = kind === EXPLICIT ? 0 : reader.varint('index', MAX_INDICES);
  const n = manifest.blocksOf(generation);
  const body = kind === EXPLICIT ? n + manifest.k : manifest.k;
  if (reader.remaining() !== body) {
    throw new MalformedDataError(`${reader.remaining()} bytes after the header, not ${body}`);
  }
  if (kind === SOURCE && index >= n) {
    throw new MalformedDataError(`source block ${index} of ${n}`);
  }
  if (kind === SEEDED && manifest.code.isSource(index, n)) {
    throw new MalformedDataError(`coded block ${index} is source block`);
  }
  const isUnverified = (first & UNVERIFIED) !== 0;
  return { kind, isUnverified, alias, sequence, generation, index, bodyAt: reader.position };
}

function readKind(reader) {
  const first = reader.u8();
  if ((first & ~7) !== 0 || first === (REPORT | UNVERIFIED)) {
    throw new MalformedDataError(`unknown kind of packet 0x${first.toString(16).padStart(2, '0')}`);
  }
  return first;
}

/**
 * Returns the alias of the object that a packet is about.
 * @param {Uint8Array} packet
 */
export function aliasOf(packet) {
  const reader = new ByteReader(packet);
  readKind(reader);
  return reader.varint('alias', MAX_ALIASES);
}
