// The receiver as a page uses it: what goes wrong ends with one clear line, and nothing wrong is kept.

import assert from 'node:assert/strict';
import test, { mock } from 'node:test';
import { Receiver } from '../../main/resources/io/fieldstone/web/fieldstone.js';
import { list } from '../../main/resources/io/fieldstone/web/lib/catalogue.js';
import { connect, current } from '../../main/resources/io/fieldstone/web/lib/connect.js';
import { entry, FakeServer, MANIFEST, OBJECT, page, webTransportTo, withLength } from './fake-server.mjs';

const NAME = '<img src=x onerror=alert(1)>.mkv';

/** Returns a receiver of servers in memory. */
function receiverOf(...servers) {
  const hosts = servers.map((_, at) => `s${at}.example:1`);
  globalThis.WebTransport = webTransportTo(Object.fromEntries(servers.map((server, at) => [hosts[at], server])));
  return new Receiver({ servers: hosts.map((url) => ({ url })), object: NAME });
}

const serverOf = (options = {}) => new FakeServer({ entries: [entry(NAME, options)], ...options });

async function listed(receiver) {
  const entries = [];
  for await (const each of receiver.list()) {
    entries.push(each);
  }
  return entries;
}

const isUsed = (stream) => ({ name: 'Error', message: `s0.example:1: ${stream}` });

test('a name with markup is a name, and the file comes whole', async () => {
  const receiver = receiverOf(serverOf());
  const [{ name, length, server }] = await listed(receiver);
  assert.deepEqual([name, length, server], [NAME, 100, 0]);
  const { blob, name: got, engine } = await receiver.fetch();
  assert.deepEqual([new Uint8Array(await blob.arrayBuffer()), got, engine], [OBJECT, NAME, 'js']);
});

test('without WebTransport, no attempt follows the first', async () => {
  const receiver = receiverOf(serverOf());
  delete globalThis.WebTransport;
  await assert.rejects(receiver.fetch(),
      isUsed('this browser has no WebTransport, or the page is not from a secure origin'));
});

test('a wrong or expired certificate is named as a possible cause', async () => {
  const server = serverOf();
  server.refusals = Array(99).fill('Opening handshake failed.');
  const receiver = receiverOf(server);
  const cause = 'WebTransport failed, perhaps by a wrong hash of the certificate, or one that has expired: Opening '
      + 'handshake failed.';
  await assert.rejects(listed(receiver), isUsed(cause));
  const now = mock.method(performance, 'now', () => Date.now() * 40); // 15 s are soon over
  await assert.rejects(receiver.fetch(), { message: `no answer for 15 s: s0.example:1: ${cause}` });
  now.mock.restore();
});

test('if neither WebTransport nor HTTP answers, the line names both', async () => {
  const address = { url: 'https://s0.example:1', streamUrl: 'http://s0.example:1/stream' };
  const fetching = mock.method(globalThis, 'fetch', async () => ({ ok: false, status: 403, body: null }));
  const usual = globalThis.setTimeout;
  globalThis.setTimeout = (action, millis, ...rest) => usual(action, millis / 100, ...rest);
  const names = (why, streams = 'the server answers 403 to a stream') =>
      assert.rejects(connect(address), { message: `${why}, and over HTTP: ${streams}` });
  try {
    delete globalThis.WebTransport;
    await names('this browser has no WebTransport, or the page is not from a secure origin');
    const refusing = serverOf();
    refusing.refusals = ['Opening handshake failed.'];
    globalThis.WebTransport = webTransportTo({ 's0.example:1': refusing });
    await names('WebTransport failed, perhaps by a wrong hash of the certificate, or one that has expired: Opening '
        + 'handshake failed');
    const silence = () => new Promise(() => {});
    globalThis.WebTransport = webTransportTo({ 's0.example:1': { connect: silence } });
    await names('no answer by UDP within 1.5 s');
    fetching.mock.mockImplementation(silence);
    await names('no answer by UDP within 1.5 s', 'no answer');
  } finally {
    globalThis.setTimeout = usual;
    fetching.mock.restore();
  }
});

test('what is no address of a server is named', () => {
  assert.throws(() => new Receiver({ servers: [{ url: 'a:b' }] }),
      { name: 'RangeError', message: "'a:b' is not the address of a server: HOST:PORT" });
});

test('another version is named', async () => {
  const problem = isUsed('the server speaks version 3 of the protocol, not 2');
  await assert.rejects(receiverOf(serverOf({ version: 3 })).fetch(), problem);
  await assert.rejects(listed(receiverOf(serverOf({ version: 3 }))), problem);
});

test('an object that is gone, before or while it comes', async () => {
  await assert.rejects(receiverOf(new FakeServer({ entries: [] })).fetch(), isUsed('it does not have the file'));
  const ending = serverOf();
  ending.packets = () => {
    ending.say(Buffer.from([15, 0, 0, 1, 0, 20, ...Buffer.from('the file has changed')]));
    return [];
  };
  await assert.rejects(receiverOf(ending).fetch(), isUsed('the file has changed'));
});

test('a catalogue without end', async () => {
  const server = serverOf();
  const some = Array.from({ length: 100 }, (_, at) => entry(`f${at}`));
  let pages = 0;
  server.list = (say) => {
    const next = () => {
      if (pages++ < 1000) {
        say(page(some, 0));
        setImmediate(next);
      }
    };
    next();
  };
  const listing = async () => {
    for await (const each of list({}, '', () => server.connect(), 5000)) {
      assert.ok(each.name.startsWith('f'));
    }
  };
  await assert.rejects(listing(), { message: 'the catalogue has more than 5000 entries' });
  assert.ok(pages < 1000);
});

test('lengths that no file has', async () => {
  const most = 2n ** 53n;
  const length = `length ${most} is more than ${most - 1n}`;
  await assert.rejects(listed(receiverOf(serverOf({ length: most }))), isUsed(`not valid: ${length}`));
  await assert.rejects(receiverOf(serverOf({ length: most })).fetch(), isUsed(`not valid: ${length}`));
  await assert.rejects(receiverOf(serverOf({ manifest: withLength(most) })).fetch(), isUsed(`not valid: ${length}`));
  await assert.rejects(receiverOf(serverOf({ manifest: withLength(most - 1n) })).fetch(),
      isUsed('not valid: 281474976710656 generations; the maximum is 16777216'));
  const many = withLength(32n * (2n ** 24n));
  await assert.rejects(receiverOf(serverOf({ manifest: many })).fetch(),
      { message: 'the object has 16777216 generations; the maximum is 2097152' });
  const large = withLength(2n ** 36n);
  large.set([0, 0, 16, 0, 1, 0, 0, 0], 12);
  await assert.rejects(receiverOf(serverOf({ manifest: large })).fetch(),
      { message: 'a generation of the object has 68719476736 bytes; the maximum is 536870912' });
});

test('a storage that is full ends the transfer', async () => {
  let aborted;
  const sink = new WritableStream({
    write: (_, controller) => {
      const full = new DOMException('no room', 'QuotaExceededError');
      aborted = true;
      controller.error(full);
      throw full;
    },
  });
  await assert.rejects(receiverOf(serverOf()).fetch(undefined, { sink }), { name: 'QuotaExceededError' });
  assert.ok(aborted);
  const read = mock.method(Blob.prototype, 'arrayBuffer', async () => { throw new Error('NotReadable'); });
  await assert.rejects(receiverOf(serverOf()).fetch(), { message: 'the browser has no room for the file: NotReadable' });
  read.mock.restore();
});

test('wrong bytes are never kept', async () => {
  const evil = serverOf();
  const right = evil.packets.bind(evil);
  evil.packets = (sequence) => right(sequence).map((packet) => packet.with(20, packet[20] ^ 1));
  const { blob } = await receiverOf(evil, serverOf()).fetch();
  assert.deepEqual(new Uint8Array(await blob.arrayBuffer()), OBJECT);
});

test('timers of a tab in the background, which come once a second', async () => {
  const usual = globalThis.setTimeout;
  globalThis.setTimeout = (action, millis, ...rest) => usual(action, Math.max(1000, millis), ...rest);
  try {
    const { blob } = await receiverOf(serverOf()).fetch();
    assert.equal(blob.size, OBJECT.length);
  } finally {
    globalThis.setTimeout = usual;
  }
});

test('a server that has started anew is described anew', async () => {
  const server = { url: 'https://a.example:1/', certificateHashes: [], descriptionUrl: 'http://a.example/server.json' };
  const answers = [
    async () => ({ json: async () => ({ port: 2, certificateHashes: ['ab'.repeat(32)] }) }),
    async () => ({ json: async () => ({ port: 2, certificateHashes: ['ab'] }) }),
    async () => ({ json: async () => { throw new Error('no JSON'); } }),
    async () => { throw new Error('nobody answers'); },
  ];
  const fetching = mock.method(globalThis, 'fetch', () => answers.shift()());
  assert.deepEqual(await current(server),
      { ...server, url: 'https://a.example:2/', certificateHashes: [new Uint8Array(32).fill(0xab)] });
  for (let left = answers.length; left > 0; left--) {
    assert.equal(await current(server), server);
  }
  fetching.mock.restore();
  const silent = { ...server, descriptionUrl: undefined };
  assert.equal(await current(silent), silent);
});
