// The type with codecs of a video or sound that can be played while it arrives, by its first bytes.

/** Codecs by the identifiers that tracks of WebM have. */
const WEBM_CODECS = {
  V_VP8: 'vp8', V_VP9: 'vp9', V_AV1: 'av01.0.08M.08', A_OPUS: 'opus', A_VORBIS: 'vorbis',
};

/**
 * Codecs by the boxes of MP4 that describe them; each function gets the bytes after the name of its box.
 * @type {Record<string, (box: Uint8Array) => string>}
 */
const MP4_CODECS = {
  avcC: (box) => `avc1.${hex(box[1])}${hex(box[2])}${hex(box[3])}`,
  vpcC: (box) => `vp09.${decimal(box[4])}.${decimal(box[5])}.${decimal(box[6] >> 4)}`,
  av1C: (box) => `av01.${box[1] >> 5}.${decimal(box[1] & 31)}${box[2] & 0x80 ? 'H' : 'M'}.${box[2] & 0x40 ? '10' : '08'}`,
  esds: () => 'mp4a.40.2',
  dOps: () => 'opus',
  dfLa: () => 'flac',
};

/** The bytes that are searched. */
const MAX_SEARCHED = 1 << 18;

const hex = (byte) => (byte + 256).toString(16).slice(1);

const decimal = (number) => String(number).padStart(2, '0');

/**
 * Returns the type of WebM or of fragmented MP4; undefined for other files.
 * @param {Uint8Array} bytes the first bytes, with the descriptions of all tracks
 */
export function mediaTypeOf(bytes) {
  const head = bytes.subarray(0, MAX_SEARCHED);
  const text = new TextDecoder('latin1').decode(head);
  if (text.startsWith('\u001aE\u00df\u00a3')) {
    return withCodecs('webm', Object.entries(WEBM_CODECS).filter(([id]) => text.includes(id)).map(([, codec]) => codec));
  }
  if (text.slice(4, 8) === 'ftyp' && text.includes('mvex')) {
    const found = Object.entries(MP4_CODECS).filter(([box]) => text.includes(box));
    return withCodecs('mp4', found.map(([box, codec]) => codec(head.subarray(text.indexOf(box) + 4))));
  }
  return undefined;
}

function withCodecs(container, codecs) {
  const isVideo = codecs.some((codec) => /^(vp|av)/.test(codec));
  return codecs.length === 0 ? undefined : `${isVideo ? 'video' : 'audio'}/${container}; codecs="${codecs.join(',')}"`;
}
