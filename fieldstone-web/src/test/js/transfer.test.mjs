// Whole transfers from servers in memory: whom publishers make right, and what ends with a clear line.

import assert from 'node:assert/strict';
import test from 'node:test';
import { ObjectChoice } from '../../main/resources/io/fieldstone/web/lib/publishers/object-choice.js';
import { Transfer } from '../../main/resources/io/fieldstone/web/lib/transfer.js';
import { entry, FakeServer, idOf, MANIFEST, OBJECT, Publisher, withLength } from './fake-server.mjs';
import { wasmKernels } from './support.mjs';

const NAME = 'film.mkv';
const ID = idOf(MANIFEST).toString('hex');
const kernels = wasmKernels();

/** Fetches from servers; returns the object with its bytes. */
function fetched(servers, { query = NAME, publishers, seen = {}, ...options } = {}) {
  const bytes = new Uint8Array(OBJECT.length);
  let object;
  return new Promise((resolve, reject) => {
    const transfer = new Transfer({
      kernels,
      servers: servers.map((server, at) => ({ url: `https://s${at}.example:1`, server })),
      query,
      choice: publishers === undefined ? undefined : new ObjectChoice(query, publishers, seen),
      connect: ({ server }) => server.connect(),
      ...options,
      listener: {
        started: (started) => { object = started; },
        verified: (generation, offset, part) => {
          bytes.set(part, offset);
          transfer.wrote(generation);
        },
        progress: () => {},
        completed: () => resolve({ ...object, bytes }),
        failed: reject,
        ...options.listener,
      },
    });
    transfer.start();
  });
}

const publisher = new Publisher();
const stranger = new Publisher();
const publishers = [publisher.key];

function signed(by, seconds = 0, more = {}) {
  return entry(NAME, { ...more, records: [by.record(NAME, idOf(more.manifest ?? MANIFEST), seconds)] });
}

test('an object comes whole, and another connection goes on after the first', async () => {
  const server = new FakeServer({ entries: [entry(NAME)] });
  server.refusals.push('no answer');
  const { id, bytes, publisher: none } = await fetched([server]);
  assert.deepEqual({ id, bytes, none }, { id: ID, bytes: OBJECT, none: '' });
  assert.equal(server.connections, 2);
});

test('the right publisher is found by name and by id', async () => {
  const server = new FakeServer({ entries: [signed(publisher, 1_767_225_600)] });
  for (const query of [NAME, ID, ID.slice(0, 8)]) {
    const result = await fetched([server], { query, publishers: [stranger.key, publisher.key] });
    assert.deepEqual(result.bytes, OBJECT);
    assert.deepEqual([result.publisher, result.signedSeconds, result.name], [publisher.key, 1_767_225_600, NAME]);
  }
});

test('what no publisher signed is refused by one line', async () => {
  const refused = (records, problem) => assert.rejects(
      fetched([new FakeServer({ entries: records === undefined ? [] : [entry(NAME, { records })] })], { publishers }),
      { message: `no server has ${NAME} signed by ${publisher.key}: s0.example:1: ${problem}` });
  const id = idOf(MANIFEST);
  await refused(undefined, 'it does not have the file');
  await refused([], `its object ${ID} is not signed`);
  await refused([stranger.record(NAME, id)], `its object ${ID} is signed by ${stranger.key}`);
  const invalid = `the signature of its object ${ID} is not valid`;
  await refused([publisher.record('other', id)], invalid);
  await refused([publisher.record(NAME, idOf(withLength(99)))], invalid);
  const moved = publisher.record(NAME, id, 5);
  moved[39] = 6;
  await refused([moved], invalid);
});

test('a manifest that is not the signed one is refused', async () => {
  const server = new FakeServer({ entries: [signed(publisher)], manifest: withLength(99) });
  await assert.rejects(fetched([server], { publishers }),
      { message: `s0.example:1: it has another object than ${ID}` });
});

test('the newest record decides, also between servers', async () => {
  const old = new FakeServer({ entries: [signed(publisher, 5, { manifest: withLength(99) })] });
  const both = new FakeServer({ entries: [signed(publisher, 5, { manifest: withLength(99) }), signed(publisher, 6)] });
  const plain = new FakeServer({ entries: [entry(NAME)] });
  const problems = new Set();
  const { bytes, signedSeconds } = await fetched([old, both, plain], {
    publishers,
    listener: { progress: ({ servers }) => servers.forEach(({ problem }) => problems.add(problem)) },
  });
  assert.deepEqual([bytes, signedSeconds], [OBJECT, 6]);
  const other = idOf(withLength(99)).toString('hex');
  assert.deepEqual([...problems].filter((problem) => problem !== ''),
      [`it has another object of this name: ${other}, signed with 1970-01-01T00:00:05Z`]);
});

test('two objects of one time are ambiguous, and an older one than was used is refused', async () => {
  const both = new FakeServer({ entries: [signed(publisher, 5, { manifest: withLength(99) }), signed(publisher, 5)] });
  await assert.rejects(fetched([both], { publishers }), /'film\.mkv' has several objects: /);
  const old = new FakeServer({ entries: [signed(publisher, 5)] });
  const seen = { [publisher.key]: 6 };
  await assert.rejects(fetched([old], { publishers, seen }), {
    message: `the record of ${NAME} by ${publisher.key} is older than one that was used: it has 1970-01-01T00:00:05Z, `
        + 'and the newer one 1970-01-01T00:00:06Z',
  });
  assert.deepEqual((await fetched([old], { publishers, seen, query: ID })).bytes, OBJECT);
});
