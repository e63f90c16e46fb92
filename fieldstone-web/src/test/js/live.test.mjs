// The decoder of live packets against an encoder by the definition, over paths that lose and reorder.

import assert from 'node:assert/strict';
import test from 'node:test';
import { MalformedDataError } from '../../main/resources/io/fieldstone/web/lib/bytes.js';
import { extend, Kind, liveHello, parseLive } from '../../main/resources/io/fieldstone/web/lib/live/live-messages.js';
import { LiveReceiver } from '../../main/resources/io/fieldstone/web/lib/live/live-receiver.js';
import { LiveTransfer } from '../../main/resources/io/fieldstone/web/lib/live/live-transfer.js';
import { coefficients } from '../../main/resources/io/fieldstone/web/lib/live/tiny-mt.js';
import { WindowDecoder } from '../../main/resources/io/fieldstone/web/lib/live/window-decoder.js';
import { ScalarKernels } from '../../main/resources/io/fieldstone/web/lib/scalar-kernels.js';
import { generator, hex, wasmKernels } from './support.mjs';

const SOURCE_BYTES = 100;
const WINDOW = 48;

function product(a, b) {
  let sum = 0;
  for (let x = a, y = b; y > 0; y >>= 1, x = x << 1 ^ (x & 0x80 ? 0x11d : 0)) {
    sum ^= y & 1 ? x : 0;
  }
  return sum;
}

function sourceOf(id) {
  return Uint8Array.from({ length: 2 + (id * 37) % (SOURCE_BYTES - 2) }, (_, at) => at === 0 ? 3 : id * 31 + at);
}

/** The symbol of a source, with zeros at its end. */
function symbolOf(id) {
  const source = sourceOf(id);
  const symbol = new Uint8Array(2 + SOURCE_BYTES);
  symbol[0] = source.length >> 8;
  symbol[1] = source.length;
  symbol.set(source, 2);
  return symbol;
}

function combination(first, vector) {
  const sum = new Uint8Array(2 + SOURCE_BYTES);
  vector.forEach((factor, at) => symbolOf(first + at).forEach((byte, i) => { sum[i] ^= product(factor, byte); }));
  return sum;
}

test('coefficients are those of RFC 8681', () => {
  assert.deepEqual([...coefficients(1, 8)].slice(0, 5), [0x25, 0xe1, 0xb1, 0xb0, 0x15]);
});

for (const [name, kernels] of [['wasm', wasmKernels()], ['js', new ScalarKernels()]]) {
  test(`what is lost is solved, and what cannot be is a gap (${name})`, () => {
    const random = generator(5);
    let gaps = 0;
    const got = [];
    const decoder = new WindowDecoder(kernels, SOURCE_BYTES, WINDOW + 16, 1000, {
      source: (id, source) => {
        assert.deepEqual(source, sourceOf(id));
        got.push(id);
      },
      gap: (first, count) => {
        assert.equal(first, (got.at(-1) ?? 999) + 1 + (got.skipped ?? 0));
        got.skipped = (got.skipped ?? 0) + count;
        gaps += count;
      },
    });
    decoder.sink.source = ((take) => (id, source) => {
      take(id, source);
      got.skipped = 0;
    })(decoder.sink.source);
    for (let id = 1000; id < 3000; id++) {
      const isBurst = id >= 2000 && id < 2200;
      if (!isBurst && random.below(10) > 0) {
        decoder.source(id, sourceOf(id));
      }
      if (id % 4 === 0 && !isBurst) {
        const count = Math.min(WINDOW, id + 1 - 1000);
        const vector = coefficients(id & 0xffff, count);
        decoder.combined(id + 1 - count, vector, combination(id + 1 - count, vector));
      }
      decoder.expire(Math.max(1000, id - WINDOW));
    }
    assert.equal(got.length + gaps, decoder.next - 1000);
    assert.ok(gaps >= 150 && gaps < 230, `${gaps}`);
    assert.equal(decoder.damaged, 0);
    decoder.close();
  });
}

test('the deficit is what independent repairs make up for', () => {
  const decoder = new WindowDecoder(wasmKernels(), SOURCE_BYTES, 64, 0, { source: () => {}, gap: () => {} });
  decoder.source(4, sourceOf(4));
  assert.equal(decoder.deficit(), 4);
  for (let key = 0; key < 4; key++) {
    const vector = coefficients(key, 4);
    assert.equal(decoder.combined(0, vector, combination(0, vector)), true);
    assert.equal(decoder.deficit(), 3 - key);
  }
  assert.equal(decoder.next, 5);
  assert.equal(decoder.combined(0, coefficients(9, 4), combination(0, coefficients(9, 4))), false);
});

test('a changed repair gives no source of another form', () => {
  const decoder = new WindowDecoder(wasmKernels(), SOURCE_BYTES, 64, 0, {
    source: () => assert.fail('delivered'), gap: () => {} });
  const symbol = combination(0, Uint8Array.of(1));
  symbol[0] = 0x40;
  decoder.combined(0, Uint8Array.of(1), symbol);
  assert.equal(decoder.damaged, 1);
});

test('numbers of 24 bits are restored', () => {
  assert.equal(extend(5, 2 ** 24), 2 ** 24 + 5);
  assert.equal(extend(0xfffffe, 3), -2);
  assert.equal(extend(7, 2 ** 40 + 9), 2 ** 40 + 7);
});

const ACCEPT = hex('02 0001 0000000000000064 0066 0030 0000000005f5e100 00');

/** Writes a source as a sender does. */
function sourcePacket(id, millis) {
  const source = sourceOf(id);
  const packet = new Uint8Array(7 + source.length);
  const view = new DataView(packet.buffer);
  view.setUint32(0, Kind.SOURCE << 24 | (millis * 10 & 0xffffff));
  view.setUint16(4, id >> 8);
  packet[6] = id;
  packet.set(source, 7);
  return packet;
}

test('messages of a server are read, and cut ones refused', () => {
  const { flow, encryption } = parseLive(ACCEPT);
  assert.deepEqual(flow, { first: 100, sourceBytes: 102, window: 48, deadlineNanos: 1e8 });
  assert.equal(encryption, null);
  assert.deepEqual(parseLive(hex('03 0000000000000007')), { type: 'end', end: 7 });
  for (let length = 0; length < ACCEPT.length; length++) {
    assert.throws(() => parseLive(ACCEPT.subarray(0, length)), MalformedDataError);
  }
  assert.deepEqual(liveHello('ab', 5e6), hex('01 0001 00 02 6162 00000000004c4b40 00'));
});

test('a receiver delivers in order, gives up after the deadline, and reports', () => {
  const reports = [];
  const packets = [];
  let gaps = 0;
  const { flow } = parseLive(ACCEPT);
  const receiver = new LiveReceiver(wasmKernels(), flow, {
    packet: (packet) => packets.push(packet.length),
    gap: (count) => { gaps += count; },
    report: (report) => reports.push(report),
  });
  receiver.wake(0);
  assert.equal(reports.length, 1);
  for (let id = 100; id < 200; id++) {
    if (id !== 150) {
      receiver.datagram(sourcePacket(id, id), id * 1e6 + 20e6);
    }
    receiver.wake(id * 1e6 + 20e6);
  }
  assert.equal(packets.length, 50);
  receiver.wake(280e6);
  assert.deepEqual([packets.length, gaps], [99, 1]);
  const last = new DataView(reports.at(-1).buffer);
  assert.equal(reports.at(-1).length, 105);
  assert.deepEqual([0, 3, 4, 8].map((at) => Number(last.getBigInt64(1 + 8 * at))), [99, 100, 1, 100]);
  assert.equal(receiver.awaitEnd(200, 281e6), true);
  const { residual, lost, sources } = receiver.statistics();
  assert.deepEqual([residual, lost, sources], [1, 1, 99]);
});

test('any datagram is taken or refused', () => {
  const random = generator(6);
  const { flow } = parseLive(ACCEPT);
  const receiver = new LiveReceiver(wasmKernels(), flow, { packet: () => {}, gap: () => {}, report: () => {} });
  const repair = hex('02 000001 000000 000064 0004 01020304');
  const corpus = [
    sourcePacket(101, 5),
    repair,
    hex('03 000001 000003 000064 0002 0102 0102'),
    hex('05 000001 000000 000064 0002'),
    hex('06 000001 000066 03aabb'),
  ];
  for (let run = 0; run < 4_000; run++) {
    const each = corpus[random.below(corpus.length)].slice();
    for (let count = random.below(4); count > 0; count--) {
      each[random.below(each.length)] = random.below(256);
    }
    try {
      receiver.datagram(random.below(5) === 0 ? each.subarray(0, random.below(each.length + 1)) : each, run * 1e6);
      receiver.wake(run * 1e6);
    } catch (error) {
      assert.ok(error instanceof MalformedDataError, error.stack);
    }
  }
});

/** A transfer from some servers, which stays in the state in which it has just greeted the first one. */
async function greeting(servers) {
  const sent = [];
  const closed = [];
  const transport = {
    sendControl: (message) => sent.push(message.length),
    close: (code, reason) => closed.push(reason),
  };
  const transfer = new LiveTransfer({
    kernels: new ScalarKernels(),
    servers: servers.map((host) => ({ url: `https://${host}/` })),
    connect: async () => transport,
    listener: { progress() {}, failed: (error) => closed.push(error.message) },
  });
  await transfer.next();
  return { transfer, sent, closed };
}

test('a receiver waits at the only server until it has a stream', async () => {
  const { transfer, sent, closed } = await greeting(['relay.example']);
  assert.equal(sent.length, 1);
  transfer.connection.awaitStream();
  transfer.connection.awaitStream();
  assert.deepEqual(sent.slice(1), [0, 0], 'empty messages, so that the connection is not idle');
  assert.equal(transfer.progress().problem, 'relay.example: it has no stream yet');
  assert.deepEqual(closed, []);
  transfer.end();
});

test('a receiver tries the next server if one has no stream', async () => {
  const { transfer, closed } = await greeting(['relay.example', 'other.example']);
  for (let i = 0; i < 5; i++) {
    transfer.connection.awaitStream();
    clearTimeout(transfer.pause);
    await transfer.next();
  }
  assert.deepEqual(closed, Array(5).fill('it has no stream yet'), 'it never gives up');
  assert.equal(transfer.turn, 5);
  transfer.end();
});
