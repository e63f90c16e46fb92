import { ByteReader, MalformedDataError } from '../bytes.js';
import { av1, MAX_DESCRIPTION_BYTES } from './mp4.js';

/** The elements that may be before the description. */
const MAX_ELEMENTS = 64;

const EBML = 0x1a45dfa3;
const SEGMENT = 0x18538067;
const TRACKS = 0x1654ae6b;
const CLUSTER = 0x1f43b675;
const TRACK_ENTRY = 0xae;
const TRACK_TYPE = 0x83;
const CODEC_ID = 0x86;
const CODEC_PRIVATE = 0x63a2;

const VIDEO = 1;
const AUDIO = 2;

const NAMES = new Map([
  ['V_VP8', 'vp8'], ['V_VP9', 'vp9'], ['A_OPUS', 'opus'], ['A_VORBIS', 'vorbis'],
]);

/** Returns true if a file begins as one in WebM does. */
export function isWebm(bytes) {
  return bytes.length >= 4 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) === EBML;
}

/**
 * Reads the description of a file in WebM, the element Tracks, and what is before it.
 * @param {Uint8Array} bytes the first bytes of the file
 * @returns {import('./mp4.js').Initialization}
 * @throws {MalformedDataError} if they are not valid
 */
export function webmInitialization(bytes) {
  for (let at = 0, count = 0; count < MAX_ELEMENTS; count++) {
    if (bytes.length < at + 12) {
      return { needed: at + 12 };
    }
    const { id, from, end } = element(bytes, at);
    if (id === SEGMENT) {
      at = from;
      continue;
    }
    if (id === CLUSTER) {
      return { reason: 'its description comes after its pictures' };
    }
    if (end > MAX_DESCRIPTION_BYTES) {
      return { reason: 'its description is too long' };
    }
    if (id === TRACKS) {
      return bytes.length < end ? { needed: end } : description(bytes, from, end);
    }
    at = end;
  }
  throw new MalformedDataError(`more than ${MAX_ELEMENTS} elements before the description`);
}

/** Reads the header of an element; one of unknown length has no end. */
function element(bytes, at) {
  const reader = new ByteReader(bytes);
  reader.skip(at);
  const id = number(reader, 4, false);
  const length = number(reader, 8, true);
  return { id, from: reader.position, end: reader.position + length };
}

/** Reads a number of variable length (RFC 8794, Sec. 4). All ones are an unknown length. */
function number(reader, maxBytes, isLength) {
  const first = reader.u8();
  const bytes = Math.clz32(first) - 23;
  if (bytes > maxBytes) {
    throw new MalformedDataError(`a number of ${bytes} bytes`);
  }
  let value = isLength ? first & (1 << 8 - bytes) - 1 : first;
  let isUnknown = isLength && value === (1 << 8 - bytes) - 1;
  for (let rest = 1; rest < bytes; rest++) {
    const next = reader.u8();
    isUnknown &&= next === 0xff;
    value = value * 256 + next;
  }
  return isUnknown ? Infinity : value;
}

/** Returns the elements in a range. */
function* elements(bytes, at, end) {
  const range = bytes.subarray(0, end);
  while (at < end) {
    const next = element(range, at);
    if (next.end > end) {
      throw new MalformedDataError(`an element of ${next.end - next.from} bytes`);
    }
    yield next;
    at = next.end;
  }
}

function description(bytes, from, end) {
  const codecs = [];
  let isVideo = false;
  for (const entry of elements(bytes, from, end)) {
    if (entry.id !== TRACK_ENTRY) {
      continue;
    }
    const { kind, id, configuration } = track(bytes, entry);
    if (kind !== VIDEO && kind !== AUDIO) {
      continue;
    }
    isVideo ||= kind === VIDEO;
    const name = id === 'V_AV1' ? `av01.${av1(new ByteReader(configuration))}` : NAMES.get(id);
    if (name === undefined) {
      return { reason: 'it has a codec that is none of WebM' };
    }
    codecs.push(name);
  }
  if (codecs.length === 0) {
    return { reason: 'it has neither pictures nor sound' };
  }
  return { type: `${isVideo ? 'video' : 'audio'}/webm; codecs="${codecs.join()}"` };
}

function track(bytes, entry) {
  let kind = 0;
  let id = '';
  let configuration = new Uint8Array(0);
  for (const part of elements(bytes, entry.from, entry.end)) {
    const content = bytes.subarray(part.from, part.end);
    if (part.id === TRACK_TYPE) {
      kind = content.at(-1) ?? 0;
    } else if (part.id === CODEC_ID) {
      id = String.fromCharCode(...content.subarray(0, 32)).replace(/\0+$/, '');
    } else if (part.id === CODEC_PRIVATE) {
      configuration = content;
    }
  }
  return { kind, id, configuration };
}
