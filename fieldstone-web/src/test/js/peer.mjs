// A receiver that ReceiverTest of this module talks to. Every frame has a length (4) and a kind (1) before its body.
//
//   H  kernels (1: 0 JavaScript, 1 WebAssembly), senders (1), their seeds (8 each), length of the manifest (1), the
//      manifest, the hashes of all generations
//   P  sender (1), data packet
//   T  the end of a turn. It is answered by a frame C, sender (1), for each new conviction, then R, sender (1), report
//      for each sender that is not convicted, and T; or by D, the SHA-256 of the object, once it is complete

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GenerationHashes, HashTree } from '../../main/resources/io/fieldstone/web/lib/hash-tree.js';
import { WasmKernels } from '../../main/resources/io/fieldstone/web/lib/kernels.js';
import { Manifest } from '../../main/resources/io/fieldstone/web/lib/manifest.js';
import { ObjectReceiver } from '../../main/resources/io/fieldstone/web/lib/object-receiver.js';
import { ScalarKernels } from '../../main/resources/io/fieldstone/web/lib/scalar-kernels.js';
import { ORIGIN } from '../../main/resources/io/fieldstone/web/lib/senders.js';

const MAX_REPORT_BYTES = 1024;

let receiver;
let object;
const senders = [];
const convictions = [];

function start(body) {
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const count = body[1];
  const manifestAt = 3 + 8 * count;
  const hashesAt = manifestAt + body[manifestAt - 1];
  const wasm = readFileSync(new URL('../../main/resources/io/fieldstone/web/lib/galois.wasm', import.meta.url));
  const kernels = body[0] === 0
      ? new ScalarKernels() : new WasmKernels(new WebAssembly.Instance(new WebAssembly.Module(wasm)));
  const manifest = new Manifest(body.subarray(manifestAt, hashesAt));
  object = Buffer.alloc(manifest.length);
  const hashes = new GenerationHashes(manifest, body.slice(hashesAt), new HashTree(kernels));
  receiver = new ObjectReceiver(kernels, hashes, {
    verified: (generation, bytes) => object.set(bytes, manifest.contentOffset(generation)),
    convicted: (conviction) => convictions.push(senders.indexOf(conviction.sender)),
  });
  for (let i = 0; i < count; i++) {
    const seed = { high: view.getInt32(2 + 8 * i), low: view.getInt32(6 + 8 * i) };
    senders.push(receiver.addSender(seed, ORIGIN, i));
  }
}

function frame(kind, body) {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(1 + body.length);
  head.write(kind, 4);
  process.stdout.write(Buffer.concat([head, body]));
}

function endTurn() {
  if (receiver.isComplete()) {
    frame('D', createHash('sha256').update(object).digest());
    return;
  }
  for (const convicted of convictions.splice(0)) {
    frame('C', Buffer.of(convicted));
  }
  senders.forEach((sender, i) => {
    const report = receiver.report(sender, 0, MAX_REPORT_BYTES);
    if (report.length > 0) {
      frame('R', Buffer.concat([Buffer.of(i), report]));
    }
  });
  frame('T', Buffer.alloc(0));
}

function take(kind, body) {
  switch (kind) {
    case 'H': start(body); break;
    case 'P': receiver.receive(senders[body[0]], body.subarray(1)); break;
    case 'T': endTurn(); break;
    default: throw new Error(`unknown kind of frame ${kind}`);
  }
}

let rest = Buffer.alloc(0);
process.stdin.on('data', (chunk) => {
  rest = Buffer.concat([rest, chunk]);
  while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE()) {
    const end = 4 + rest.readUInt32BE();
    take(String.fromCharCode(rest[4]), rest.subarray(5, end));
    rest = rest.subarray(end);
  }
});
