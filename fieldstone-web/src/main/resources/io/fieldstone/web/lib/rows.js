import { STRIP, stride } from './kernels.js';

/** No source block, as a position. */
const CODED = -1;

/**
 * The independent blocks of one generation as they arrived: sender, coding vector and payload of each. Source blocks
 * are only copied until the first coded block arrives; then a basis finds out which blocks are innovative.
 */
export class Rows {
  /**
   * @param {import('./kernels.js').WasmKernels} kernels
   * @param {number} n the source blocks
   * @param {number} k the bytes of each
   */
  constructor(kernels, n, k) {
    this.kernels = kernels;
    this.n = n;
    this.k = k;
    this.stride = stride(n);
    /** The distance of blocks in memory. */
    this.pitch = Math.ceil(k / STRIP) * STRIP;
    this.vectors = kernels.heap.allocate(n * this.stride);
    this.payloads = kernels.heap.allocate(n * this.pitch);
    /** The basis, made for the first coded block; negative before. */
    this.basis = -1;
    this.isBasisFilled = false;
    this.pivots = kernels.heap.allocate(n);
    /** The number of blocks, which are independent. */
    this.count = 0;
    this.senders = new Int32Array(n);
    this.positions = new Int32Array(n);
    this.holds = new Uint8Array(n);
    this.sources = 0;
  }

  free() {
    const { heap } = this.kernels;
    heap.free(this.vectors, this.n * this.stride);
    heap.free(this.payloads, this.n * this.pitch);
    heap.free(this.pivots, this.n);
    if (this.basis >= 0) {
      heap.free(this.basis, this.basisBytes());
    }
  }

  basisBytes() {
    return (this.n + 1) * 2 * this.stride;
  }

  /** Removes all blocks. */
  clear() {
    this.count = 0;
    this.holds.fill(0);
    this.sources = 0;
    this.isBasisFilled = false;
  }

  isComplete() {
    return this.count === this.n;
  }

  /** Adds a source block if it is innovative. */
  addSource(sender, position, payload) {
    if (this.count === this.n || this.holds[position] !== 0) {
      return false;
    }
    const vector = this.vectorAt(this.count);
    this.kernels.heap.bytes.fill(0, vector, vector + this.n);
    this.kernels.heap.bytes[vector + position] = 1;
    if (this.isBasisFilled && !this.isInnovative(vector, this.count)) {
      return false;
    }
    this.holds[position] = 1;
    this.sources++;
    this.keep(sender, position, payload);
    return true;
  }

  /**
   * Adds a coded block if it is innovative.
   * @param {number} sender
   * @param {(vector: Uint8Array) => void} writeVector writes its n coefficients
   * @param {Uint8Array} payload
   */
  addCoded(sender, writeVector, payload) {
    if (this.count === this.n) {
      return false;
    }
    if (!this.isBasisFilled) {
      this.fillBasis();
    }
    const vector = this.vectorAt(this.count);
    writeVector(this.kernels.heap.bytes.subarray(vector, vector + this.n));
    if (!this.isInnovative(vector, this.count)) {
      return false;
    }
    this.keep(sender, CODED, payload);
    return true;
  }

  vectorAt(row) {
    return this.vectors + row * this.stride;
  }

  isInnovative(vector, row) {
    return this.kernels.basisAdd(this.basis, this.pivots, this.n, vector, row) >= 0;
  }

  keep(sender, position, payload) {
    this.kernels.heap.bytes.set(payload, this.payloads + this.count * this.pitch);
    this.senders[this.count] = sender;
    this.positions[this.count] = position;
    this.count++;
  }

  fillBasis() {
    const { heap } = this.kernels;
    if (this.basis < 0) {
      this.basis = heap.allocate(this.basisBytes());
    }
    heap.bytes.fill(0, this.pivots, this.pivots + this.n);
    for (let row = 0; row < this.count; row++) {
      this.isInnovative(this.vectorAt(row), row);
    }
    this.isBasisFilled = true;
  }

  /**
   * Removes the blocks of some rows; returns their number.
   * @param {(row: number) => boolean} isRemoved
   */
  removeRows(isRemoved) {
    const { bytes } = this.kernels.heap;
    let kept = 0;
    for (let row = 0; row < this.count; row++) {
      if (isRemoved(row)) {
        if (this.positions[row] !== CODED) {
          this.holds[this.positions[row]] = 0;
          this.sources--;
        }
        continue;
      }
      if (kept < row) {
        bytes.copyWithin(this.vectorAt(kept), this.vectorAt(row), this.vectorAt(row) + this.n);
        bytes.copyWithin(this.payloadAt(kept), this.payloadAt(row), this.payloadAt(row) + this.k);
        this.senders[kept] = this.senders[row];
        this.positions[kept] = this.positions[row];
      }
      kept++;
    }
    const removed = this.count - kept;
    this.count = kept;
    if (removed > 0) {
      this.isBasisFilled = false;
      if (this.sources < this.count) {
        this.fillBasis();
      }
    }
    return removed;
  }

  /** Returns the offset of a payload. */
  payloadAt(row) {
    return this.payloads + row * this.pitch;
  }

  /** Returns the numbers of the senders of the blocks. */
  distinctSenders() {
    return new Set(this.senders.subarray(0, this.count));
  }

  /**
   * Writes the source blocks of a complete generation.
   * @param {number} output the offset of n rows of pitch bytes
   */
  decode(output) {
    const { kernels, n, pitch } = this;
    const { heap } = kernels;
    for (let row = 0; row < n; row++) {
      if (this.positions[row] !== CODED) {
        heap.bytes.copyWithin(output + this.positions[row] * pitch, this.payloadAt(row), this.payloadAt(row) + this.k);
      }
    }
    const missing = n - this.sources;
    if (missing === 0) {
      return;
    }
    const solutions = heap.allocate(missing * this.stride);
    const solved = heap.allocate(missing * pitch);
    let next = 0;
    this.forEachMissing((source) => {
      const combination = this.basis + source * 2 * this.stride + this.stride;
      heap.bytes.copyWithin(solutions + next++ * this.stride, combination, combination + n);
    });
    kernels.multiply(solved, pitch, solutions, this.stride, missing, n, this.payloads, pitch, pitch);
    next = 0;
    this.forEachMissing((source) => {
      const from = solved + next++ * pitch;
      heap.bytes.copyWithin(output + source * pitch, from, from + this.k);
    });
    heap.free(solutions, missing * this.stride);
    heap.free(solved, missing * pitch);
  }

  forEachMissing(action) {
    for (let source = 0; source < this.n; source++) {
      if (this.holds[source] === 0) {
        action(source);
      }
    }
  }

  /**
   * Returns the senders of rows whose payload is not that combination of the source blocks.
   * @param {number} source the offset of n rows of pitch bytes
   */
  wrongSenders(source) {
    const { kernels, count, pitch, k } = this;
    const { heap } = kernels;
    const expected = heap.allocate(count * pitch);
    kernels.multiply(expected, pitch, this.vectors, this.stride, count, this.n, source, pitch, pitch);
    const wrong = new Set();
    for (let row = 0; row < count; row++) {
      const a = heap.bytes.subarray(expected + row * pitch, expected + row * pitch + k);
      const b = heap.bytes.subarray(this.payloadAt(row), this.payloadAt(row) + k);
      if (!a.every((byte, at) => byte === b[at])) {
        wrong.add(this.senders[row]);
      }
    }
    heap.free(expected, count * pitch);
    return wrong;
  }
}
