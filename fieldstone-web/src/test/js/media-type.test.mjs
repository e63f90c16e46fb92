import assert from 'node:assert/strict';
import test from 'node:test';
import { mediaTypeOf } from '../../main/resources/io/fieldstone/web/lib/media-type.js';

const bytes = (...parts) => Uint8Array.from(Buffer.concat(parts.map((part) =>
    typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));

const WEBM = '\u001aE\u00df\u00a3';
const MP4 = '\0\0\0\u0020ftypiso5';

test('the type of WebM has the codecs of its tracks', () => {
  assert.equal(mediaTypeOf(bytes(WEBM, 'webm', 'V_VP9', 'A_OPUS')), 'video/webm; codecs="vp9,opus"');
  assert.equal(mediaTypeOf(bytes(WEBM, 'webm', 'A_VORBIS')), 'audio/webm; codecs="vorbis"');
});

test('the type of fragmented MP4 has profile and level', () => {
  assert.equal(
      mediaTypeOf(bytes(MP4, 'moov', 'avcC', [1, 0x64, 0, 0x1f], 'esds', 'mvex')),
      'video/mp4; codecs="avc1.64001f,mp4a.40.2"');
  assert.equal(
      mediaTypeOf(bytes(MP4, 'moov', 'vpcC', [1, 0, 0, 0, 0, 31, 0x82], 'dOps', 'mvex')),
      'video/mp4; codecs="vp09.00.31.08,opus"');
  assert.equal(
      mediaTypeOf(bytes(MP4, 'moov', 'av1C', [0x81, 0x08, 0x0c], 'mvex')),
      'video/mp4; codecs="av01.0.08M.08"');
});

test('other files have no type', () => {
  assert.equal(mediaTypeOf(bytes('')), undefined);
  assert.equal(mediaTypeOf(bytes(MP4, 'moov', 'avcC', [1, 0x64, 0, 0x1f])), undefined);
  assert.equal(mediaTypeOf(bytes(WEBM, 'webm')), undefined);
  assert.equal(mediaTypeOf(bytes('\0\0\0\u0020abcd')), undefined);
});
