// Measures decoding on one core, in bytes of the generation: node src/check/js/decoding.mjs [n] [k] (64 and 1200).
//
// coded      a generation of coded blocks only: elimination and product
// verified   the same, and its SHA-256 tree
// received   packets of a systematic code of which 5 % are lost, taken by ObjectReceiver: with the tree

import { readFileSync } from 'node:fs';

const WEB = new URL('../../main/resources/io/fieldstone/web/lib/', import.meta.url);
const load = (name) => import(new URL(name, WEB).href);
const { ByteWriter } = await load('bytes.js');
const { GenerationHashes, HashTree } = await load('hash-tree.js');
const { stride, WasmKernels } = await load('kernels.js');
const { Manifest } = await load('manifest.js');
const { ObjectReceiver } = await load('object-receiver.js');
const { Rows } = await load('rows.js');
const { ScalarKernels } = await load('scalar-kernels.js');
const { ORIGIN } = await load('senders.js');

const n = Number(process.argv[2] ?? 64);
const k = Number(process.argv[3] ?? 1200);
const GENERATIONS = 32;
const LOST = 0.05;
const MILLIS = 1500;
const SEED = { low: 42, high: 0 };

function random(bytes) {
  for (let at = 0, state = 1; at < bytes.length; at++) {
    state = Math.imul(state, 1664525) + 1013904223 | 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

/** Prints the best of runs within a time, which disturbs least what else the machine does. */
function measure(name, bytes, action) {
  let best = Infinity;
  for (let end = performance.now() + MILLIS, runs = 0; performance.now() < end || runs < 3; runs++) {
    const begin = performance.now();
    action();
    best = Math.min(best, performance.now() - begin);
  }
  console.log(`${name.padEnd(20)} ${(bytes / best / 1000).toFixed(0).padStart(6)} MB/s`);
}

function manifest(root) {
  const out = new ByteWriter(68);
  out.bytes(new TextEncoder().encode('FSTOBJ\0\u0002'));
  out.bytes(Uint8Array.of(1, 2, 1, 0));
  out.u32(n);
  out.u32(k);
  out.u64(0n);
  out.u64(BigInt(GENERATIONS * n * k));
  out.bytes(root);
  return new Manifest(out.written());
}

/** Returns the packets of all generations in order, of which some are lost, and of as many repairs. */
function packets(kernels, object, { code }) {
  const { heap } = kernels;
  const pitch = Math.ceil(k / 64) * 64;
  const source = heap.allocate(n * pitch);
  const vector = heap.allocate(n);
  const coded = heap.allocate(pitch);
  const arrived = [];
  const lost = new Uint8Array(n * GENERATIONS);
  random(lost);
  let sequence = 0;
  for (let g = 0; g < GENERATIONS; g++) {
    const packet = (kind, index, payload) => {
      const out = new ByteWriter(15 + k);
      out.u8(kind);
      out.varint(0);
      out.u32(sequence++);
      out.varint(g);
      out.varint(index);
      out.bytes(payload);
      arrived.push(out.written());
    };
    let missing = 0;
    for (let i = 0; i < n; i++) {
      const block = object.subarray((g * n + i) * k, (g * n + i + 1) * k);
      heap.bytes.set(block, source + i * pitch);
      if (lost[g * n + i] < 256 * LOST) {
        sequence++;
        missing++;
      } else {
        packet(0, i, block);
      }
    }
    for (let i = n; i < n + missing + 1; i++) {
      code.coefficients(SEED, g, i, heap.bytes.subarray(vector, vector + n));
      kernels.multiply(coded, pitch, vector, n, 1, n, source, pitch, pitch);
      packet(1, i, heap.bytes.slice(coded, coded + k));
    }
  }
  return arrived;
}

function run(kernels) {
  kernels.start(0x11d);
  const { heap } = kernels;
  const rows = new Rows(kernels, n, k);
  const vectors = random(new Uint8Array(n * n));
  const payloads = random(new Uint8Array(n * k));
  const output = heap.allocate(n * rows.pitch);
  const tree = new HashTree(kernels);
  const decode = () => {
    rows.clear();
    for (let row = 0; row < n; row++) {
      rows.addCoded(0, (vector) => vector.set(vectors.subarray(row * n, (row + 1) * n)), payloads.subarray(row * k, (row + 1) * k));
    }
    rows.decode(output);
  };
  measure(`${kernels.name} coded`, n * k, decode);
  measure(`${kernels.name} verified`, n * k, () => {
    decode();
    tree.generation(output, rows.pitch, n, k);
  });

  const object = random(new Uint8Array(GENERATIONS * n * k));
  const hashes = new Uint8Array(32 * GENERATIONS);
  for (let g = 0; g < GENERATIONS; g++) {
    for (let i = 0; i < n; i++) {
      heap.bytes.set(object.subarray((g * n + i) * k, (g * n + i + 1) * k), output + i * rows.pitch);
    }
    hashes.set(tree.generation(output, rows.pitch, n, k), 32 * g);
  }
  const described = manifest(tree.object(hashes));
  const arriving = packets(kernels, object, described);
  const known = new GenerationHashes(described, hashes, tree);
  measure(`${kernels.name} received`, object.length, () => {
    const receiver = new ObjectReceiver(kernels, known, { verified: () => {} });
    const sender = receiver.addSender(SEED, ORIGIN, 0);
    for (let i = 0; i < arriving.length; i++) {
      if (i % 100 === 0) {
        receiver.report(sender, 0, 1024);
      }
      receiver.receive(sender, arriving[i]);
    }
    if (!receiver.isComplete()) {
      throw new Error(`${receiver.verifiedCount} of ${GENERATIONS} generations`);
    }
    receiver.close();
  });
}

console.log(`n ${n}, k ${k}, vectors of ${stride(n)} bytes, ${process.version}`);
const wasm = readFileSync(new URL('galois.wasm', WEB));
run(new WasmKernels(new WebAssembly.Instance(new WebAssembly.Module(wasm))));
run(new ScalarKernels());
