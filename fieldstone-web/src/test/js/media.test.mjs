// What films say of themselves: fragmented MP4 and WebM, and whatever else a hostile server can send.

import assert from 'node:assert/strict';
import test from 'node:test';
import { initialization } from '../../main/resources/io/fieldstone/web/lib/media/media-type.js';
import { MAX_DESCRIPTION_BYTES } from '../../main/resources/io/fieldstone/web/lib/media/mp4.js';
import { generator, hex } from './support.mjs';

const RUNS = 20_000;

const joined = (...parts) => new Uint8Array(Buffer.concat(parts.map((part) =>
    typeof part === 'string' ? hex(part) : part)));

const u32 = (value) => value.toString(16).padStart(8, '0');

/** Returns a box of MP4. */
const box = (type, ...parts) => {
  const content = joined(...parts);
  return joined(u32(8 + content.length), Buffer.from(type, 'latin1'), content);
};

const zeros = (count) => new Uint8Array(count);

const track = (handler, entry, samples = 0) => box('trak', box('mdia',
    box('hdlr', zeros(8), Buffer.from(handler), zeros(12)),
    box('minf', box('stbl',
        box('stsd', '00000000 00000001', entry), box('stsz', zeros(8), u32(samples))))));

const video = (type, ...boxes) => track('vide', box(type, zeros(78), ...boxes));

const audio = (type, ...boxes) => track('soun', box(type, zeros(28), ...boxes));

const film = (...tracks) =>
    joined(box('ftyp', zeros(16)), box('moov', box('mvhd', zeros(100)), ...tracks, box('mvex')));

const AVC = video('avc1', box('avcC', '01 64 00 1f ff'));

const AAC = audio('mp4a', box('esds', `00000000 03 808080 22 0001 00
    04 808080 14 40 15 000000 00000000 00000000 05 808080 02 1210 06 01 02`));

/** Returns an element of WebM with a length of 4 bytes. */
const element = (id, ...parts) => {
  const content = joined(...parts);
  return joined(id, u32(content.length + 0x10000000), content);
};

const webmTrack = (kind, codec, ...parts) =>
    element('ae', element('83', kind), element('86', Buffer.from(codec)), ...parts);

const webm = (...tracks) => joined(
    element('1a45dfa3', element('4282', Buffer.from('webm'))),
    '18538067 01ffffffffffffff', element('ec', zeros(20)), element('1654ae6b', ...tracks));

/** Asks with ever more bytes, as they are needed. */
function read(bytes) {
  let needed = 0;
  for (let steps = 0; ; steps++) {
    assert.ok(steps < 200, 'a bounded number of steps');
    const answer = initialization(bytes.subarray(0, needed));
    if (answer.needed === undefined) {
      return answer;
    }
    assert.ok(answer.needed > needed && answer.needed <= MAX_DESCRIPTION_BYTES + 16);
    needed = answer.needed;
    if (needed > bytes.length) {
      return answer;
    }
  }
}

test('the codecs of MP4 are named', () => {
  const named = (codecs, ...tracks) => assert.equal(read(film(...tracks)).type, `video/mp4; codecs="${codecs}"`);
  named('avc1.64001f,mp4a.40.2', AVC, AAC);
  named('hvc1.1.6.L60.90', video('hvc1', box('hvcC', '01 01 60000000 900000000000 3c')));
  named('hev1.2.4.H150.B0', video('hev1', box('hvcC', '01 22 20000000 b00000000000 96')));
  named('av01.0.08M.10', video('av01', box('av1C', '81 08 4c 00')));
  named('vp09.00.30.08', video('vp09', box('vpcC', '01000000 00 1e 82 020202 0000')));
  named('avc1.64001f,opus', AVC, audio('Opus', box('dOps', zeros(11))));
  named('avc1.64001f,mp4a.6b', AVC, audio('mp4a', box('esds', '00000000 03 10 0001 00 04 0d 6b', zeros(12))));
  named('avc1.64001f', AVC, track('text', box('tx3g', zeros(30))));
  named('x___', video('x"<>'));
  assert.equal(read(film(AAC)).type, 'audio/mp4; codecs="mp4a.40.2"');
});

test('the codecs of WebM are named', () => {
  const named = (type, ...tracks) => assert.equal(read(webm(...tracks)).type, type);
  named('video/webm; codecs="vp9,opus"', webmTrack('01', 'V_VP9'), webmTrack('02', 'A_OPUS'));
  named('audio/webm; codecs="vorbis"', webmTrack('02', 'A_VORBIS'));
  named('video/webm; codecs="av01.0.05M.08"', webmTrack('01', 'V_AV1', element('63a2', '81 05 0c 00')));
  assert.match(read(webm(webmTrack('01', 'V_MPEG4/ISO/AVC'))).reason, /none of WebM/);
});

test('a file that cannot play while it arrives has a reason', () => {
  const reason = (...parts) => read(joined(...parts)).reason;
  const ftyp = box('ftyp', zeros(16));
  assert.match(reason(ftyp, box('moov', box('mvhd', zeros(100)), AVC)), /no fragmented MP4/);
  const withSamples = track('vide', box('avc1', zeros(78), box('avcC', '01 64001f')), 3);
  assert.match(reason(ftyp, box('moov', withSamples, box('mvex'))), /no fragmented MP4/);
  assert.match(reason(ftyp, box('mdat', zeros(100))), /after its pictures/);
  assert.match(reason(ftyp, '7fffffff', Buffer.from('moov'), zeros(100)), /no fragmented MP4/);
  assert.match(reason(ftyp, box('moov', box('mvex'))), /neither pictures nor sound/);
  assert.match(reason(zeros(64)), /neither MP4 nor WebM/);
  const begin = joined(element('1a45dfa3', zeros(8)), '18538067 01ffffffffffffff');
  assert.match(reason(begin, element('1f43b675', zeros(64))), /after its pictures/);
});

test('hostile lengths are refused', () => {
  const reason = (...parts) => read(joined(...parts)).reason;
  const ftyp = box('ftyp', zeros(16));
  for (const length of ['00000007', '00000000', '00000001 ffffffffffffffff']) {
    const bytes = length.split(' ');
    assert.ok(reason(ftyp, bytes[0], Buffer.from('free'), bytes[1] ?? '', zeros(40)), length);
    assert.ok(reason(ftyp, box('moov', bytes[0], Buffer.from('trak'), bytes[1] ?? '', zeros(40)), zeros(16)), length);
  }
  assert.match(reason(ftyp, box('moov', 'ffffffff', Buffer.from('trak'), zeros(8))), /a box of 4294967295 bytes/);
  assert.match(reason(...Array.from({ length: 100 }, () => box('free'))), /more than 64 boxes/);
  const voids = Array.from({ length: 100 }, () => element('ec'));
  assert.match(reason(element('1a45dfa3', zeros(8)), ...voids), /more than 64 elements/);
  assert.match(reason('1a45dfa3 01ffffffffffff00', zeros(20)), /too long/);
  assert.match(reason(element('1a45dfa3', zeros(8)), '00000000', zeros(20)), /a number of 9 bytes/);
  assert.match(reason(webm(joined('ae', '01fffffffffffffe'))), /an element of/);
  assert.match(read(film(audio('mp4a', box('esds', '00000000 03 ffffffff ff')))).reason, /more than 4 bytes/);
});

test('any bytes have an answer, in bounded steps', () => {
  const random = generator(17);
  const corpus = [
    film(AVC, AAC),
    film(video('hvc1', box('hvcC', '01 01 60000000 900000000000 3c')), video('av01', box('av1C', '81 08 4c 00'))),
    webm(webmTrack('01', 'V_AV1', element('63a2', '81 05 0c 00')), webmTrack('02', 'A_OPUS')),
  ];
  for (let run = 0; run < RUNS; run++) {
    const bytes = corpus[random.below(corpus.length)].slice();
    for (let count = 1 + random.below(4); count > 0; count--) {
      bytes[random.below(bytes.length)] = random.below(4) === 0 ? 255 : random.below(256);
    }
    const length = random.below(4) === 0 ? random.below(bytes.length) : bytes.length;
    const { type, reason, needed } = read(bytes.subarray(0, length));
    assert.equal([type, reason, needed].filter((each) => each !== undefined).length, 1);
    assert.ok(type === undefined || /^(video|audio)\/(mp4|webm); codecs="[A-Za-z0-9.,_-]*"$/.test(type), type);
  }
});

test('the largest description is read in one pass', () => {
  const boxes = box('moov', Buffer.concat(Array.from({ length: 130_000 }, () => box('free'))));
  assert.match(read(joined(box('ftyp', zeros(8)), boxes)).reason, /no fragmented MP4/);
});
