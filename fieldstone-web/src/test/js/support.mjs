// What tests share.

import { readFileSync } from 'node:fs';
import { WasmKernels } from '../../main/resources/io/fieldstone/web/lib/kernels.js';

const wasm = new WebAssembly.Module(
    readFileSync(new URL('../../main/resources/io/fieldstone/web/lib/galois.wasm', import.meta.url)));

/** Returns kernels in WebAssembly, with memory of their own. */
export function wasmKernels() {
  return new WasmKernels(new WebAssembly.Instance(wasm));
}

/** Returns random numbers that are the same in each run. */
export function generator(seed) {
  let state = seed;
  const next = () => {
    state = state + 0x6d2b79f5 | 0;
    let mixed = Math.imul(state ^ state >>> 15, 1 | state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return (mixed ^ mixed >>> 14) >>> 0;
  };
  return {
    below: (bound) => next() % bound,
    fill: (bytes) => bytes.forEach((_, at) => { bytes[at] = next(); }),
  };
}

/** Returns the bytes of hexadecimal digits, between which there may be space. */
export function hex(digits) {
  return Uint8Array.from(Buffer.from(digits.replaceAll(/\s/g, ''), 'hex'));
}
