// Signatures of publishers, and where a browser cannot verify them.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Receiver } from '../../main/resources/io/fieldstone/web/fieldstone.js';
import { Publishers } from '../../main/resources/io/fieldstone/web/lib/publishers/publishers.js';
import { SeenRecords } from '../../main/resources/io/fieldstone/web/lib/publishers/seen-records.js';
import { idOf, MANIFEST, Publisher } from './fake-server.mjs';

const publisher = new Publisher();

/** Runs an action with another WebCrypto. */
async function withSubtle(subtle, action) {
  const usual = Object.getOwnPropertyDescriptor(globalThis, 'crypto');
  Object.defineProperty(globalThis, 'crypto', { configurable: true, value: { subtle } });
  try {
    await action();
  } finally {
    Object.defineProperty(globalThis, 'crypto', usual);
  }
}

test('keys of another form are refused', () => {
  for (const key of ['', 'ed25519:', publisher.key.slice(0, -1), publisher.key.toUpperCase(), `${publisher.key}0`]) {
    assert.throws(() => new Receiver({ servers: [{ url: 'a.example:1' }], publishers: [key] }), {
      name: 'RangeError', message: `'${key}' is not a public key: 'ed25519:' and 64 hexadecimal digits`,
    });
  }
});

test('any change of a record is noticed, and what is no key or no signature is not valid', async () => {
  const publishers = await Publishers.of([publisher.key, `ed25519:${'ff'.repeat(32)}`]);
  const id = idOf(MANIFEST);
  const entry = (record, name = 'größe/a', of = id) => ({
    name,
    id: of.toString('hex'),
    records: [{
      publisher: `ed25519:${record.subarray(0, 32).toString('hex')}`,
      seconds: Number(record.readBigUInt64BE(32)),
      signature: new Uint8Array(record.subarray(40)),
    }],
  });
  for (const seconds of [0, 1, 253_402_300_799]) {
    const record = publisher.record('größe/a', id, seconds);
    assert.deepEqual(await publishers.signatures(entry(record)),
        [{ publisher: publisher.key, name: 'größe/a', id: id.toString('hex'), seconds }]);
    assert.deepEqual(await publishers.signatures(entry(record, 'größe/b')), []);
    assert.deepEqual(await publishers.signatures(entry(record, 'größe/a', Buffer.alloc(32))), []);
    for (const at of [39, 40, 71, 72, 103]) {
      const changed = Buffer.from(record);
      changed[at] ^= 1;
      assert.deepEqual(await publishers.signatures(entry(changed)), []);
    }
    const noPoint = Buffer.concat([Buffer.alloc(32, 255), record.subarray(32)]);
    assert.deepEqual(await publishers.signatures(entry(noPoint)), []);
  }
});

test('without Ed25519 or WebCrypto one line says so', async () => {
  await withSubtle(undefined, () => assert.rejects(Publishers.of([]),
      { message: 'publishers cannot be verified: the page is not from HTTPS or a loopback address' }));
  await withSubtle({ importKey: async () => { throw new Error('Unrecognized name.'); } }, () => assert.rejects(
      Publishers.of([]), { message: 'publishers cannot be verified: this browser has no Ed25519' }));
});

test('the newest record of a name is remembered where a page can', () => {
  const kept = new Map();
  globalThis.localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
  try {
    const records = new SeenRecords('a');
    const of = (name, signedSeconds) => ({ name, publisher: publisher.key, signedSeconds });
    assert.deepEqual(records.seconds([publisher.key]), { [publisher.key]: 0 });
    [of('a', 5), of('a', 4), of('b', 6), of('a', 0)].forEach((object) => records.add(object));
    assert.deepEqual(new SeenRecords('a').seconds([publisher.key]), { [publisher.key]: 5 });
    globalThis.localStorage.setItem = () => { throw new Error('full'); };
    records.add(of('a', 7));
    assert.deepEqual(records.seconds([publisher.key]), { [publisher.key]: 5 });
  } finally {
    delete globalThis.localStorage;
  }
  new SeenRecords('a').add({ name: 'a', publisher: publisher.key, signedSeconds: 1 });
});
