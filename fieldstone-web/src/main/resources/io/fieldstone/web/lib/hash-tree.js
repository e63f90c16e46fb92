import { areEqual, MalformedDataError } from './bytes.js';

const HASH_BYTES = 32;
const LEAF = 0;
const GENERATION_NODE = 1;
const OBJECT_NODE = 2;

/** The SHA-256 tree of an object (docs/format.md, "Hash tree"). It keeps memory. */
export class HashTree {
  /** @param {import('./kernels.js').WasmKernels} kernels */
  constructor(kernels) {
    this.kernels = kernels;
    this.scratch = 0;
    this.scratchHashes = 0;
  }

  /** Returns the offset of memory for a number of hashes. */
  memory(hashes) {
    if (hashes > this.scratchHashes) {
      const { heap } = this.kernels;
      if (this.scratchHashes > 0) {
        heap.free(this.scratch, this.scratchHashes * HASH_BYTES);
      }
      this.scratch = heap.allocate(hashes * HASH_BYTES);
      this.scratchHashes = hashes;
    }
    return this.scratch;
  }

  /**
   * Returns the hash of a generation.
   * @param {number} source the offset of its blocks
   * @param {number} pitch their distance
   * @param {number} n their number
   * @param {number} k their bytes
   */
  generation(source, pitch, n, k) {
    const hashes = this.memory(n);
    this.kernels.sha256(hashes, LEAF, source, pitch, n, k);
    return this.join(GENERATION_NODE, n);
  }

  /**
   * Returns the root of an object.
   * @param {Uint8Array} hashes those of its generations, at least one, 32 bytes each
   */
  object(hashes) {
    const count = hashes.length / HASH_BYTES;
    const memory = this.memory(count); // before the heap is read, which it may replace
    this.kernels.heap.bytes.set(hashes, memory);
    return this.join(OBJECT_NODE, count);
  }

  /**
   * Joins neighbours, level by level, and keeps the last hash of an odd number. That makes the same tree as splitting
   * at the largest power of two.
   */
  join(prefix, leaves) {
    const hashes = this.scratch;
    const { heap } = this.kernels;
    for (let count = leaves; count > 1; count = Math.ceil(count / 2)) {
      const pairs = count >> 1;
      this.kernels.sha256(hashes, prefix, hashes, 2 * HASH_BYTES, pairs, 2 * HASH_BYTES);
      if (count % 2 === 1) {
        const last = hashes + (count - 1) * HASH_BYTES;
        heap.bytes.copyWithin(hashes + pairs * HASH_BYTES, last, last + HASH_BYTES);
      }
    }
    return heap.bytes.slice(hashes, hashes + HASH_BYTES);
  }
}

/** The SHA-256 of nothing, the root of an empty object. */
const EMPTY_ROOT = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** The hashes of all generations of an object, checked against the root in its manifest. */
export class GenerationHashes {
  /**
   * @param {import('./manifest.js').Manifest} manifest
   * @param {Uint8Array} hashes 32 bytes for each generation
   * @param {HashTree} tree
   */
  constructor(manifest, hashes, tree) {
    if (hashes.length !== HASH_BYTES * manifest.generations) {
      throw new MalformedDataError(`${hashes.length / HASH_BYTES} hashes for ${manifest.generations} generations`);
    }
    const root = hashes.length === 0
        ? Uint8Array.from(EMPTY_ROOT.match(/../g) ?? [], (digits) => parseInt(digits, 16)) : tree.object(hashes);
    if (!areEqual(root, manifest.root)) {
      throw new MalformedDataError('the root of the hashes is not that of the object');
    }
    this.manifest = manifest;
    this.hashes = hashes;
  }

  /** Returns the hash of a generation. */
  of(generation) {
    return this.hashes.subarray(HASH_BYTES * generation, HASH_BYTES * (generation + 1));
  }
}
