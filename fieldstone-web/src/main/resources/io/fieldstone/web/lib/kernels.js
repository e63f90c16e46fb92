// The arithmetic of a receiver, in WebAssembly with 128-bit vectors or in JavaScript. Both have the same methods, on
// the memory of a Heap, and give the same bytes.

import { Heap } from './heap.js';
import { ScalarKernels } from './scalar-kernels.js';

/** The multiple of bytes that rows of blocks have, in both implementations. */
export const STRIP = 64;

/**
 * The columns of a coding vector in memory: whole vectors of 16 bytes.
 * @param {number} n
 */
export function stride(n) {
  return Math.ceil(n / 16) * 16;
}

/** The kernels of galois.wasm. */
export class WasmKernels {
  /** @param {WebAssembly.Instance} instance of galois.wasm */
  constructor(instance) {
    this.name = 'wasm';
    this.code = /** @type {any} */ (instance.exports);
    const memory = this.code.memory;
    this.heap = new Heap(new Uint8Array(memory.buffer), this.code.__heap_base.value, (bytes) => {
      memory.grow(Math.ceil((bytes - memory.buffer.byteLength) / 65536));
      return new Uint8Array(memory.buffer);
    });
  }

  /**
   * Chooses the field, before any product.
   * @param {number} polynomial with x^8
   */
  start(polynomial) {
    this.code.start(polynomial & 0xff);
  }

  /**
   * Adds a vector to a basis, see galois.c.
   * @returns {number} the pivot; −1 if the vector is not innovative
   */
  basisAdd(rows, isPivot, n, vector, number) {
    return this.code.basis_add(rows, isPivot, n, stride(n), vector, number);
  }

  /** Multiplies rows × n coefficients with n rows of bytes, which are a multiple of STRIP. */
  multiply(out, outPitch, coefficients, coefficientPitch, rows, n, input, inputPitch, bytes) {
    const scratch = this.heap.allocate(rows * 256);
    this.code.multiply(
        out, outPitch, coefficients, coefficientPitch, rows, n, input, inputPitch, bytes, scratch);
    this.heap.free(scratch, rows * 256);
  }

  /** Writes the SHA-256 of count messages of equal length, each after a byte of prefix. */
  sha256(out, prefix, messages, pitch, count, bytes) {
    this.code.sha256(out, prefix, messages, pitch, count, bytes);
  }
}

/**
 * Loads the fastest kernels that this browser allows.
 * @param {BufferSource} [wasm] the bytes of galois.wasm; by default they are fetched from beside this module
 * @returns {Promise<WasmKernels | ScalarKernels>}
 */
export async function loadKernels(wasm) {
  try {
    const bytes = wasm ?? await (await fetch(new URL('./galois.wasm', import.meta.url))).arrayBuffer();
    const { instance } = await WebAssembly.instantiate(bytes);
    return new WasmKernels(instance);
  } catch {
    return new ScalarKernels(); // no WebAssembly, no vectors in it, or a content security policy forbids it
  }
}
