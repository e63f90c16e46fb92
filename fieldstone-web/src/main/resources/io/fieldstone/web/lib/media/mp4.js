import { ByteReader, MalformedDataError, toHex } from '../bytes.js';

/**
 * What the first bytes of a file say: its type and codecs, or why it cannot be played while it arrives, or how many
 * bytes are needed to tell.
 * @typedef {{type?: string, reason?: string, needed?: number}} Initialization
 */

/** The maximum bytes of a description that is read. Those of fragmented files have a few thousand. */
export const MAX_DESCRIPTION_BYTES = 1 << 20;

/** The boxes that may be before the description. */
const MAX_BOXES = 64;

/** The bytes before the boxes of a sample entry. */
const VIDEO_ENTRY_BYTES = 78;
const AUDIO_ENTRY_BYTES = 28;

/** The bytes that versions of QuickTime add to the entry of a sound. */
const SOUND_VERSION_BYTES = [0, 16, 36];

const KINDS = /^(ftyp|styp|moov|free|skip|wide|pdin|sidx|uuid)$/;

/** Returns true if a file begins as one in MP4 does. */
export function isMp4(bytes) {
  return bytes.length >= 8 && KINDS.test(fourCharacters(bytes, 4));
}

/**
 * Reads the description of a file in MP4, the box moov, and what is before it.
 * @param {Uint8Array} bytes the first bytes of the file
 * @returns {Initialization}
 * @throws {MalformedDataError} if they are not valid
 */
export function mp4Initialization(bytes) {
  for (let at = 0, count = 0; count < MAX_BOXES; count++) {
    if (bytes.length < at + 16) {
      return { needed: at + 16 };
    }
    const { type, from, end } = header(bytes, at, Infinity);
    if (type === 'mdat' || type === 'moof') {
      return { reason: 'its description comes after its pictures' };
    }
    if (end > MAX_DESCRIPTION_BYTES) {
      return { reason: 'it is no fragmented MP4' }; // that of a whole film has an entry a picture
    }
    if (type === 'moov') {
      return bytes.length < end ? { needed: end } : description(bytes, from, end);
    }
    at = end;
  }
  throw new MalformedDataError(`more than ${MAX_BOXES} boxes before the description`);
}

function fourCharacters(bytes, at) {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

/** Reads the header of a box. */
function header(bytes, at, bound) {
  const reader = new ByteReader(bytes);
  reader.skip(at);
  let length = reader.u32();
  const type = fourCharacters(bytes, reader.skip(4));
  if (length === 1) {
    length = reader.safe('length of a box');
  } else if (length === 0) {
    length = bound - at; // to the end
  }
  const from = reader.position;
  if (length < from - at || at + length > bound) {
    throw new MalformedDataError(`a box of ${length} bytes`);
  }
  return { type, from, end: at + length };
}

/** Returns the boxes in a range, each with where its content begins and ends. */
function* boxes(bytes, at, end) {
  while (at < end) {
    if (end - at < 8) {
      throw new MalformedDataError(`${end - at} bytes where a box is needed`);
    }
    const box = header(bytes.subarray(0, end), at, end);
    yield box;
    at = box.end;
  }
}

/** Returns the first box at a path. */
function find(bytes, { from, end }, ...path) {
  const [type, ...rest] = path;
  if (type === undefined) {
    return { from, end };
  }
  for (const box of boxes(bytes, from, end)) {
    if (box.type === type) {
      return find(bytes, box, ...rest);
    }
  }
  throw new MalformedDataError(`no box ${type}`);
}

function description(bytes, from, end) {
  let isFragmented = false;
  let hasSamples = false;
  const codecs = [];
  for (const box of boxes(bytes, from, end)) {
    isFragmented ||= box.type === 'mvex';
    if (box.type !== 'trak') {
      continue;
    }
    const media = find(bytes, box, 'mdia');
    const handler = readerOf(bytes, find(bytes, media, 'hdlr'));
    handler.skip(8);
    const kind = fourCharacters(handler.bytes(4), 0);
    if (kind !== 'vide' && kind !== 'soun') {
      continue; // subtitles, times
    }
    const table = find(bytes, media, 'minf', 'stbl');
    const sizes = readerOf(bytes, find(bytes, table, 'stsz'));
    sizes.skip(8);
    hasSamples ||= sizes.u32() > 0;
    const entries = find(bytes, table, 'stsd');
    const [entry] = boxes(bytes, entries.from + 8, entries.end);
    if (entry === undefined) {
      throw new MalformedDataError('a track without a codec');
    }
    codecs.push(kind === 'vide' ? videoCodec(bytes, entry) : audioCodec(bytes, entry));
  }
  if (!isFragmented || hasSamples) {
    return { reason: 'it is no fragmented MP4' };
  }
  if (codecs.length === 0) {
    return { reason: 'it has neither pictures nor sound' };
  }
  const isVideo = codecs.some((codec) => !codec.isSound);
  return { type: `${isVideo ? 'video' : 'audio'}/mp4; codecs="${codecs.map(({ name }) => name).join()}"` };
}

function readerOf(bytes, { from, end }) {
  return new ByteReader(bytes.subarray(from, end));
}

function two(number) {
  return String(number).padStart(2, '0');
}

/** Returns the name of the codec of pictures (RFC 6381, and the bindings of each codec). */
function videoCodec(bytes, { type, from, end }) {
  const inner = { from: from + VIDEO_ENTRY_BYTES, end };
  const configuration = (name) => readerOf(bytes, find(bytes, inner, name));
  switch (type) {
    case 'avc1':
    case 'avc3': {
      const reader = configuration('avcC');
      reader.skip(1);
      return { name: `${type}.${toHex(reader.bytes(3))}` };
    }
    case 'hvc1':
    case 'hev1':
      return { name: `${type}.${hevc(configuration('hvcC'))}` };
    case 'av01':
      return { name: `av01.${av1(configuration('av1C'))}` };
    case 'vp08':
    case 'vp09': {
      const reader = configuration('vpcC');
      reader.skip(4);
      const profile = reader.u8();
      const level = reader.u8();
      return { name: `${type}.${two(profile)}.${two(level)}.${two(reader.u8() >> 4)}` };
    }
    default:
      return { name: printable(type) };
  }
}

/** Names a codec that browsers may know by the name of its entry; others are refused by all of them. */
function printable(type) {
  return type.replaceAll(/[^A-Za-z0-9-]/g, '_');
}

function hevc(reader) {
  reader.skip(1);
  const profile = reader.u8();
  let compatible = 0;
  for (let bits = reader.u32(), count = 0; count < 32; count++, bits >>>= 1) {
    compatible = compatible << 1 | bits & 1;
  }
  const constraints = [...reader.bytes(6)];
  const level = reader.u8();
  while (constraints.length > 0 && constraints.at(-1) === 0) {
    constraints.pop();
  }
  return [
    `${['', 'A', 'B', 'C'][profile >> 6]}${profile & 31}`,
    (compatible >>> 0).toString(16).toUpperCase(),
    `${(profile & 32) === 0 ? 'L' : 'H'}${level}`,
    ...constraints.map((byte) => byte.toString(16).toUpperCase()),
  ].join('.');
}

/**
 * Returns what follows "av01." in the name of a codec.
 * @param {ByteReader} reader of an AV1CodecConfigurationRecord
 */
export function av1(reader) {
  reader.skip(1);
  const profile = reader.u8();
  const bits = reader.u8();
  const depth = (bits & 0x40) === 0 ? 8 : profile >> 5 === 2 && (bits & 0x20) !== 0 ? 12 : 10;
  return `${profile >> 5}.${two(profile & 31)}${(bits & 0x80) === 0 ? 'M' : 'H'}.${two(depth)}`;
}

function audioCodec(bytes, { type, from, end }) {
  const version = bytes.length >= from + 10 ? bytes[from + 8] << 8 | bytes[from + 9] : 0;
  const inner = { from: from + AUDIO_ENTRY_BYTES + (SOUND_VERSION_BYTES[version] ?? 0), end };
  const isSound = true;
  switch (type) {
    case 'mp4a':
      return { name: `mp4a.${objectType(readerOf(bytes, find(bytes, inner, 'esds')))}`, isSound };
    case 'Opus':
      find(bytes, inner, 'dOps');
      return { name: 'opus', isSound };
    case 'fLaC':
      return { name: 'flac', isSound };
    default:
      return { name: printable(type), isSound };
  }
}

/** Reads the header of a descriptor (ISO/IEC 14496-1, 8.3.3), whose length has at most 4 bytes. */
function descriptor(reader, tag) {
  if (reader.u8() !== tag) {
    throw new MalformedDataError(`no descriptor ${tag}`);
  }
  for (let count = 0; count < 4; count++) {
    if (reader.u8() < 0x80) {
      return;
    }
  }
  throw new MalformedDataError('a length of more than 4 bytes');
}

/** Returns the object types of a sound: "40.2" is AAC. */
function objectType(reader) {
  reader.skip(4);
  descriptor(reader, 3);
  reader.skip(2);
  const flags = reader.u8();
  reader.skip((flags & 0x80) === 0 ? 0 : 2);
  reader.skip((flags & 0x40) === 0 ? 0 : reader.u8());
  reader.skip((flags & 0x20) === 0 ? 0 : 2);
  descriptor(reader, 4);
  const type = reader.u8();
  if (type !== 0x40) {
    return type.toString(16).padStart(2, '0');
  }
  reader.skip(12);
  descriptor(reader, 5);
  const first = reader.u8();
  const object = first >> 3;
  return `40.${object === 31 ? 32 + ((first & 7) << 3 | reader.u8() >> 5) : object}`;
}
