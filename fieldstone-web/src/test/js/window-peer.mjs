// A decoder of live packets that WindowDecoderTest of this module talks to. Every frame has a length (4) and a kind (1)
// before its body.
//
//   H  kernels (1: 0 JavaScript, 1 WebAssembly), bytes of a source (2), window (2)
//   S  id (4), source
//   R  key (2), first id (4), count (2), symbol
//   X  the first id that is still wanted (4)
//   T  the end. It is answered by frames S, id (4), source and G, first id (4), count (4) in the order of delivery,
//      then T, deficit (4)

import { readFileSync } from 'node:fs';
import { coefficients } from '../../main/resources/io/fieldstone/web/lib/live/tiny-mt.js';
import { WindowDecoder } from '../../main/resources/io/fieldstone/web/lib/live/window-decoder.js';
import { WasmKernels } from '../../main/resources/io/fieldstone/web/lib/kernels.js';
import { ScalarKernels } from '../../main/resources/io/fieldstone/web/lib/scalar-kernels.js';

let decoder;

function frame(kind, ...parts) {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(1 + body.length);
  head.write(kind, 4);
  process.stdout.write(Buffer.concat([head, body]));
}

function u32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function start(body) {
  const wasm = readFileSync(new URL('../../main/resources/io/fieldstone/web/lib/galois.wasm', import.meta.url));
  const kernels = body[0] === 0
      ? new ScalarKernels() : new WasmKernels(new WebAssembly.Instance(new WebAssembly.Module(wasm)));
  decoder = new WindowDecoder(kernels, body.readUInt16BE(1), body.readUInt16BE(3), 0, {
    source: (id, source) => frame('S', u32(id), source),
    gap: (first, count) => frame('G', u32(first), u32(count)),
  });
}

function take(kind, body) {
  switch (kind) {
    case 'H': start(body); break;
    case 'S': decoder.source(body.readUInt32BE(0), body.subarray(4)); break;
    case 'R':
      decoder.combined(body.readUInt32BE(2), coefficients(body.readUInt16BE(0), body.readUInt16BE(6)), body.subarray(8));
      break;
    case 'X': decoder.expire(body.readUInt32BE(0)); break;
    case 'T': frame('T', u32(decoder.deficit())); break;
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
