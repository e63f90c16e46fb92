// What a hostile server can send: no bytes break a receiver, and all that it refuses is a MalformedDataError.

import assert from 'node:assert/strict';
import test from 'node:test';
import { MalformedDataError } from '../../main/resources/io/fieldstone/web/lib/bytes.js';
import { GenerationHashes, HashTree } from '../../main/resources/io/fieldstone/web/lib/hash-tree.js';
import { HashParts } from '../../main/resources/io/fieldstone/web/lib/hash-parts.js';
import { Manifest } from '../../main/resources/io/fieldstone/web/lib/manifest.js';
import { parse } from '../../main/resources/io/fieldstone/web/lib/messages.js';
import { ObjectReceiver } from '../../main/resources/io/fieldstone/web/lib/object-receiver.js';
import { IMMEDIATE, ORIGIN, RELAY } from '../../main/resources/io/fieldstone/web/lib/senders.js';
import { MessageFraming } from '../../main/resources/io/fieldstone/web/lib/web-transport.js';
import { HASHES, MANIFEST } from './fake-server.mjs';
import { generator, hex, wasmKernels } from './support.mjs';

const RUNS = 20_000;

/** Takes an action that may refuse its data. */
function attempt(action) {
  try {
    return action();
  } catch (error) {
    assert.ok(error instanceof MalformedDataError, error.stack);
    return undefined;
  }
}

/** Changes some bytes, and perhaps the length. */
function mutated(bytes, random) {
  const changed = bytes.slice(0, random.below(4) === 0 ? random.below(bytes.length + 1) : bytes.length);
  for (let count = random.below(4); count > 0 && changed.length > 0; count--) {
    changed[random.below(changed.length)] = random.below(256);
  }
  return changed;
}

test('any control message is parsed or refused', () => {
  const random = generator(11);
  const id = 'ab'.repeat(32);
  const corpus = [
    hex('01 0002 01 0000'),
    hex(`03 03 0001 ${id} 0000000000000005 00 0003 612f62 01 ${id} 0000000000000001 ${id}${id}`),
    hex(`05 0001 ${id} 0000000000000005 00 0003 612f62 00`),
    Uint8Array.of(7, 0, 5, MANIFEST.length, ...MANIFEST, 1, 2, 3, 4, 5, 6, 7, 8),
    hex(`08 ${id} 02 0003 616263`),
    hex(`0a 0005 00000000 0002 ${id}${id}`),
    hex('0f 0005 01 0003 616263'),
  ];
  corpus.forEach((message) => assert.ok(parse(message)));
  for (let run = 0; run < RUNS; run++) {
    attempt(() => parse(mutated(corpus[random.below(corpus.length)], random)));
  }
});

test('a receiver takes any packets of any senders, and still gets the object', () => {
  const random = generator(12);
  const kernels = wasmKernels();
  const manifest = new Manifest(MANIFEST);
  const object = Uint8Array.from({ length: 128 }, (_, at) => at < 100 ? at : 0);
  for (let run = 0; run < 50; run++) {
    const verified = new Map();
    const hashes = new GenerationHashes(manifest, HASHES, new HashTree(kernels));
    const receiver = new ObjectReceiver(kernels, hashes, {
      verified: (generation, bytes) => {
        assert.ok(!verified.has(generation));
        verified.set(generation, bytes);
      },
      convicted: ({ sender }) => assert.ok(sender !== 0),
    });
    const honest = receiver.addSender({ low: 1, high: 2 }, ORIGIN, 0);
    const others = [ORIGIN, RELAY, IMMEDIATE].map((kind) => receiver.addSender({ low: kind, high: 0 }, kind, 0));
    const packet = (generation, position, sequence) => Uint8Array.of(
        0, 0, 0, 0, sequence >> 8, sequence & 0xff, generation, position, ...object.subarray(16 * (2 * generation + position), 16 * (2 * generation + position + 1)));
    for (let turn = 0, sequence = 0; !receiver.isComplete(); turn++) {
      assert.ok(turn < 3000, 'the object is complete sooner or later');
      for (const other of others) {
        attempt(() => receiver.receive(other, mutated(packet(random.below(4), random.below(2), random.below(256)), random)));
        receiver.report(other, random.below(1000), 128);
      }
      const generation = random.below(4);
      const position = generation === 3 ? 0 : random.below(2);
      receiver.receive(honest, packet(generation, position, sequence++));
      receiver.report(honest, 0, 128);
    }
    for (let g = 0; g < 4; g++) {
      assert.deepEqual(verified.get(g), object.slice(32 * g, Math.min(100, 32 * (g + 1))));
    }
    receiver.close();
  }
});

test('hashes out of order are refused, and the sender of wrong ones is found', () => {
  const parts = new HashParts(3000);
  const right = Uint8Array.from({ length: 32 * 3000 }, (_, at) => at * 3);
  const slice = (first, end) => right.slice(32 * first, 32 * end);
  parts.expectFirst('a');
  parts.requests('a', 1);
  parts.requests('b', 2);
  assert.throws(() => parts.add('c', 0, slice(0, 512)), MalformedDataError);
  parts.add('a', 0, slice(0, 512));
  const wrong = slice(512, 2412);
  wrong[5] ^= 1;
  parts.add('a', 512, wrong);
  parts.add('b', 2412, slice(2412, 3000));
  assert.ok(parts.isComplete());
  assert.deepEqual(parts.wrong(), []);
  assert.ok(parts.needsSender());
  parts.startAlone('b');
  parts.asked.clear();
  parts.requests('b', 2);
  parts.add('b', 0, slice(0, 512));
  parts.add('b', 512, slice(512, 2412));
  parts.requests('b', 2);
  parts.add('b', 2412, slice(2412, 3000));
  assert.ok(parts.isComplete());
  assert.deepEqual([...parts.wrongSenders()], ['a']);
});

test('messages come whole however a stream is cut, and no length allocates more than it brings', () => {
  const random = generator(13);
  const messages = Array.from({ length: 50 }, () => {
    const message = new Uint8Array(1 + random.below(300));
    random.fill(message);
    return message;
  });
  const stream = Buffer.concat(messages.map((message) => MessageFraming.frame(message)));
  for (let run = 0; run < 50; run++) {
    const taken = [];
    const framing = new MessageFraming((message) => taken.push(message.slice()));
    for (let at = 0; at < stream.length;) {
      const end = Math.min(stream.length, at + 1 + random.below(500));
      framing.add(new Uint8Array(stream.subarray(at, end)));
      at = end;
    }
    assert.deepEqual(taken, messages);
  }
  assert.throws(() => new MessageFraming(() => {}).add(hex('00010001')), RangeError);
  assert.throws(() => new MessageFraming(() => {}).add(hex('00000000')), RangeError);
});
