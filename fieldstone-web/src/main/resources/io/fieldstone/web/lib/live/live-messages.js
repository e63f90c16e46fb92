// Control messages and datagrams of live packets (docs/live.md, "Protocol").

import { ByteReader, ByteWriter, MalformedDataError } from '../bytes.js';

export const LIVE_VERSION = 1;

const MAX_TOKEN_BYTES = 255;
const SALT_BYTES = 32;
const MAX_SOURCE_BYTES = 2048;
const MAX_WINDOW = 4031;
const MAX_DEADLINE_NANOS = 60e9;

/** No sender numbers sources beyond: the numbers of the receiver stay exact. */
const MAX_FIRST = 2 ** 50;

export const Kind = { SOURCE: 1, REPAIR: 2, RECODED: 3, REPORT: 4, SKIP: 5, LATE: 6 };

export const SOURCE_HEADER_BYTES = 7;
export const REPAIR_HEADER_BYTES = 12;

/** The values of a report, in their order. */
const REPORT_VALUES = 13;

/**
 * Writes the greeting of a receiver.
 * @param {string} token
 * @param {number} deadlineNanos 0 for that of the server
 */
export function liveHello(token, deadlineNanos) {
  const utf8 = new TextEncoder().encode(token);
  if (utf8.length > MAX_TOKEN_BYTES) {
    throw new RangeError(`a token of ${utf8.length} bytes; the maximum is ${MAX_TOKEN_BYTES}`);
  }
  const out = new ByteWriter(14 + utf8.length);
  out.u8(1);
  out.u16(LIVE_VERSION);
  out.u8(0); // a stream
  out.u8(utf8.length);
  out.bytes(utf8);
  out.u64(BigInt(Math.round(deadlineNanos)));
  out.u8(0); // no flow of its own
  return out.written();
}

/**
 * What both ends of a flow must know.
 * @typedef {object} Flow
 * @property {number} first
 * @property {number} sourceBytes
 * @property {number} window
 * @property {number} deadlineNanos
 */

/**
 * Parses a message of a server.
 * @param {Uint8Array} bytes
 * @returns {any}
 */
export function parseLive(bytes) {
  const reader = new ByteReader(bytes);
  const type = reader.u8();
  let message;
  if (type === 2) {
    const version = reader.u16();
    const flow = readFlow(reader);
    const flag = within('flag', reader.u8(), 0, 1);
    const encryption = flag === 0 ? null : { keyId: reader.bytes(8).slice(), salt: reader.bytes(SALT_BYTES).slice() };
    message = { type: 'accept', version, flow, encryption };
  } else if (type === 3) {
    message = { type: 'end', end: reader.safe('end') };
  } else {
    throw new MalformedDataError(`unknown type of live message ${type}`);
  }
  if (reader.remaining() > 0) {
    throw new MalformedDataError(`${reader.remaining()} bytes after a live message`);
  }
  return message;
}

/** @returns {Flow} */
function readFlow(reader) {
  return {
    first: within('first source', reader.safe('first source'), 0, MAX_FIRST),
    sourceBytes: within('bytes of a source', reader.u16(), 2, MAX_SOURCE_BYTES),
    window: within('window', reader.u16(), 1, MAX_WINDOW),
    deadlineNanos: within('deadline', reader.safe('deadline'), 1, MAX_DEADLINE_NANOS),
  };
}

function within(name, value, least, most) {
  if (value < least || value > most) {
    throw new MalformedDataError(`${name} ${value} is not in ${least}…${most}`);
  }
  return value;
}

/** Restores a counter from its lower 24 bits: the value that is nearest to another. */
export function extend(low, near) {
  const numbers = 2 ** 24;
  const distance = (((low - near) % numbers) + numbers) % numbers;
  return near + (distance < numbers / 2 ? distance : distance - numbers);
}

function u24(bytes, at) {
  return bytes[at] << 16 | bytes[at + 1] << 8 | bytes[at + 2];
}

/**
 * Reads a datagram of a sender. Numbers are the lower bits of counters.
 * @param {Uint8Array} bytes
 */
export function readPacket(bytes) {
  const kind = bytes[0];
  const isSource = kind === Kind.SOURCE || kind === Kind.LATE;
  const isRepair = kind === Kind.REPAIR || kind === Kind.RECODED;
  if (!isSource && !isRepair && kind !== Kind.SKIP) {
    throw new MalformedDataError(`a datagram of kind ${kind} to a receiver`);
  }
  const least = isSource ? SOURCE_HEADER_BYTES + 2 : REPAIR_HEADER_BYTES + (isRepair ? 1 : 0);
  if (bytes.length < least) {
    throw new MalformedDataError(`a datagram of kind ${kind} ends after ${bytes.length} bytes`);
  }
  const packet = { kind, ticks: u24(bytes, 1), number: u24(bytes, 4), first: 0, count: 0 };
  if (!isSource) {
    packet.first = u24(bytes, 7);
    packet.count = within('sources of a packet', bytes[10] << 8 | bytes[11], 1, MAX_WINDOW);
  }
  return packet;
}

/**
 * Writes a report.
 * @param {number[]} values as docs/live.md has them
 */
export function writeReport(values) {
  const report = new Uint8Array(1 + 8 * REPORT_VALUES);
  const view = new DataView(report.buffer);
  report[0] = Kind.REPORT;
  values.forEach((value, at) => view.setBigInt64(1 + 8 * at, BigInt(Math.round(value))));
  return report;
}
