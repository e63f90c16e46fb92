// A server in memory, which offers an object of 100 bytes: those of its index.

import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { MessageFraming } from '../../main/resources/io/fieldstone/web/lib/web-transport.js';
import { hex } from './support.mjs';

/** The manifest of the object: n = 2, k = 16, four generations. */
export const MANIFEST = hex(`
    4653544f424a0002010201000000000200000010000000000000000000000000
    00000064768fa371e793ec67b0c625a50dd99e8066e2d7eaa1f3ccf0f90fe582 79b38295`);

/** The hashes of its generations. */
export const HASHES = hex(`
    fbd9423bcf1e51ec54b19e2dd5cc01bb38e330801b38a7d6f5c59774d59d2d92
    48e5124ccfcb89db06c7627c88b047171b9603d2b1fbc2b801208fe917e5595c
    295ce84989aa5d62f36eb1d4b1d242d426c65dbbcf2d81ed016c6c80bef7ff84
    f79d0b40beec1ddf27fc815f8c13a1726d9275c924dad97a5ad3945eaea97c0b`);

export const OBJECT = Uint8Array.from({ length: 100 }, (_, at) => at);

const u16 = (value) => Buffer.of(value >> 8, value & 0xff);
const u32 = (value) => Buffer.of(value >>> 24, value >>> 16 & 0xff, value >>> 8 & 0xff, value & 0xff);

function u64(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

/** Returns the identity of a manifest. */
export function idOf(manifest) {
  return createHash('sha256').update(manifest).digest();
}

/** Returns a manifest of other coded bytes. */
export function withLength(length) {
  const manifest = MANIFEST.slice();
  manifest.set(u64(length), 28);
  return manifest;
}

/** A publisher, who signs as rlnc.crypto.PublisherRecord does. */
export class Publisher {
  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    this.privateKey = privateKey;
    this.bytes = publicKey.export({ format: 'der', type: 'spki' }).subarray(12);
    this.key = `ed25519:${this.bytes.toString('hex')}`;
  }

  /** Returns a record as an entry has it. */
  record(name, id, seconds = 0) {
    const utf8 = Buffer.from(name);
    const message = Buffer.concat([
      Buffer.from(seconds === 0 ? 'FSTPUB\0\x02' : 'FSTPUB\0\x03', 'latin1'), this.bytes,
      seconds === 0 ? Buffer.alloc(0) : u64(seconds), id, u16(utf8.length), utf8]);
    return Buffer.concat([this.bytes, u64(seconds), sign(null, message, this.privateKey)]);
  }
}

/** Returns an entry of a catalogue. */
export function entry(name, { manifest = MANIFEST, length = 100, records = [] } = {}) {
  const utf8 = Buffer.from(name);
  return Buffer.concat(
      [idOf(manifest), u64(length), Buffer.of(0), u16(utf8.length), utf8, Buffer.of(records.length), ...records]);
}

/** One page of a catalogue. */
export function page(entries, flags = 3) {
  return Buffer.concat([Buffer.of(3, flags), u16(entries.length), ...entries]);
}

/** Answers as a server does; tests change what it has, and what it says. */
export class FakeServer {
  constructor({ entries, manifest = MANIFEST, version = 2, token = '' } = {}) {
    this.entries = entries;
    this.manifest = manifest;
    this.version = version;
    this.token = token;
    this.connections = 0;
    /** The connections that fail before there is an answer, and why. */
    this.refusals = [];
    /** Answers the question for the catalogue. */
    this.list = (say) => say(page(this.entries));
    /** Answers the question for an object. */
    this.find = (say) => {
      say(Buffer.concat([Buffer.of(5), u16(this.entries.length), ...this.entries]));
      if (this.entries.length === 1) {
        this.open(say);
      }
    };
    this.open = (say) => {
      say(Buffer.concat([Buffer.of(7, 0, 0, this.manifest.length), this.manifest, Buffer.alloc(8, 1)]));
      say(Buffer.concat([Buffer.of(10, 0, 0), u32(0), u16(HASHES.length / 32), HASHES]));
    };
  }

  /** Returns a transport. */
  async connect() {
    this.connections++;
    if (this.refusals.length > 0) {
      throw new Error(this.refusals.shift());
    }
    let isOpen = true;
    let hasSent = false;
    let sequence = 0;
    const later = (action) => setImmediate(() => isOpen && action());
    const say = (message) => later(() => transport.onControl(new Uint8Array(message)));
    this.say = say;
    const transport = {
      rttMillis: 1,
      dropped: 0,
      maxDatagramBytes: 1024,
      onControl: (_bytes) => {},
      onDatagram: (_bytes) => {},
      onClosed: (_code, _reason) => {},
      close: () => { isOpen = false; },
      sendControl: (message) => {
        switch (message[0]) {
          case 1: say(Buffer.from([1, ...u16(this.version), 1, 0, 0])); break;
          case 2: this.list(say); break;
          case 4: this.find(say); break;
          case 6: this.open(say); break;
          default:
        }
      },
      sendDatagram: () => {
        if (!hasSent) {
          hasSent = true;
          later(() => {
            hasSent = false;
            this.packets(sequence).forEach((packet) => transport.onDatagram(packet));
            sequence += 7;
          });
        }
      },
    };
    /** Breaks the connection. */
    this.break = () => {
      isOpen = false;
      transport.onClosed(0, 'the connection broke');
    };
    return transport;
  }

  /** Returns the source blocks, in packets with numbers from this one on. */
  packets(sequence) {
    return Array.from({ length: 7 }, (_, block) => {
      const packet = new Uint8Array(8 + 16);
      packet.set([0, 0, 0, 0, sequence + block >> 8, sequence + block & 0xff, block >> 1, block & 1]);
      packet.set(OBJECT.subarray(16 * block, 16 * (block + 1)), 8);
      return packet;
    });
  }
}

/** Answers pages that connect by WebTransport: a class in place of that of browsers, for servers by their hosts. */
export function webTransportTo(servers) {
  return class {
    constructor(url) {
      const streamOf = () => {
        let controller;
        const readable = new ReadableStream({ start: (started) => { controller = started; } });
        return { readable, enqueue: (bytes) => controller.enqueue(bytes) };
      };
      const control = streamOf();
      const incoming = streamOf();
      this.closed = new Promise((resolve) => { this.end = resolve; });
      this.ready = servers[new URL(url).host].connect().then((transport) => {
        transport.onControl = (message) => control.enqueue(MessageFraming.frame(message));
        transport.onDatagram = (bytes) => incoming.enqueue(bytes);
        this.transport = transport;
      });
      const framing = new MessageFraming((message) => this.transport.sendControl(message));
      this.stream = {
        readable: control.readable, writable: new WritableStream({ write: (bytes) => framing.add(bytes) }),
      };
      this.datagrams = {
        readable: incoming.readable,
        writable: new WritableStream({ write: (bytes) => this.transport.sendDatagram(bytes) }),
        maxDatagramSize: 1024,
      };
    }

    async createBidirectionalStream() {
      return this.stream;
    }

    close(info) {
      this.transport?.close();
      this.end(info);
    }
  };
}
