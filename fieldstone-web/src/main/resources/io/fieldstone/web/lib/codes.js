// The network codes: rules that give a coding vector for a seed, a generation and an index (docs/format.md, "Numbers").

import { MalformedDataError } from './bytes.js';
import { philox } from './philox.js';

const DENSE = 1;
const SYSTEMATIC = 2;
const SPARSE = 3;
const PIPELINE = 4;
const CAUCHY = 5;

/** The counter word that separates the random bytes of codes. */
const DENSE_DOMAIN = 0;
const SPARSE_DOMAIN = 1;
const PIPELINE_DOMAIN = 2;

const CAUCHY_BLOCKS = 256;
const CAUCHY_POLYNOMIAL = 0x11d;

/** The polynomial of each field of the format. */
const POLYNOMIALS = new Map([[1, 0x11d], [2, 0x11b]]);

/**
 * Returns the polynomial of a field.
 * @param {number} field its number in the format
 */
export function polynomialOf(field) {
  const polynomial = POLYNOMIALS.get(field);
  if (polynomial === undefined) {
    throw new MalformedDataError(`unknown field ${field}`);
  }
  return polynomial;
}

/** A network code. */
export class Code {
  /**
   * @param {number} id its number in the format
   * @param {bigint} parameter its 64-bit parameter
   */
  constructor(id, parameter) {
    if (id < DENSE || id > CAUCHY) {
      throw new MalformedDataError(`unknown code ${id}`);
    }
    this.id = id;
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, parameter);
    /** The redundancy of the pipeline code. */
    this.redundancy = id === PIPELINE ? view.getFloat64(0) : 0;
    /** The density threshold of the sparse code. */
    this.threshold = id === SPARSE ? Number(parameter) : 0;
    const isValid = id === SPARSE ? parameter < 256n
        : id === PIPELINE ? this.redundancy >= 0 && this.redundancy < 1e6 && !Object.is(this.redundancy, -0)
        : parameter === 0n;
    if (!isValid) {
      throw new MalformedDataError(`parameter ${parameter} of code ${id} is not valid`);
    }
    this.words = new Uint32Array(4);
    this.random = new Uint8Array(16);
  }

  /** Returns true if this code has blocks of a field and a number of source blocks. */
  isOver(field, n) {
    return this.id !== CAUCHY || field === 1 && n <= CAUCHY_BLOCKS;
  }

  /** Returns true if a block is the source block of the same number. */
  isSource(index, n) {
    return (this.id === SYSTEMATIC || this.id === CAUCHY) && index < n;
  }

  /**
   * Writes the n coefficients of a block.
   * @param {{low: number, high: number}} seed
   * @param {number} generation
   * @param {number} index
   * @param {Uint8Array} target n bytes
   */
  coefficients(seed, generation, index, target) {
    const n = target.length;
    if (this.isSource(index, n)) {
      target.fill(0);
      target[index] = 1;
    } else if (this.id === SPARSE) {
      this.sparse(seed, generation, index, target);
    } else if (this.id === PIPELINE) {
      this.pipelined(seed, generation, index, target);
    } else if (this.id === CAUCHY && index < CAUCHY_BLOCKS) {
      for (let j = 0; j < n; j++) {
        target[j] = inverses()[index ^ j];
      }
    } else {
      this.uniform(seed, generation, index, DENSE_DOMAIN, target);
    }
  }

  /** Draws 16 random bytes. */
  draw(seed, counter, generation, index, domain) {
    const { words, random } = this;
    philox(seed.low, seed.high, counter, generation, index, domain, words);
    for (let i = 0; i < 16; i++) {
      random[i] = words[i >> 2] >>> (i & 3) * 8;
    }
    return random;
  }

  uniform(seed, generation, index, domain, target) {
    for (let at = 0; at < target.length; at += 16) {
      const random = this.draw(seed, at >> 4, generation, index, domain);
      target.set(at + 16 <= target.length ? random : random.subarray(0, target.length - at), at);
    }
  }

  sparse(seed, generation, index, target) {
    const n = target.length;
    let any = 0;
    for (let at = 0; at < n; at += 8) {
      const random = this.draw(seed, at >> 3, generation, index, SPARSE_DOMAIN);
      for (let i = 0; i < 8 && at + i < n; i++) {
        target[at + i] = random[i] <= this.threshold ? Math.max(1, random[8 + i]) : 0;
        any |= target[at + i];
      }
    }
    if (any === 0) {
      const random = this.draw(seed, Math.ceil(n / 8), generation, index, SPARSE_DOMAIN);
      target[this.words[0] % n] = Math.max(1, random[4]);
    }
  }

  pipelined(seed, generation, index, target) {
    const last = Math.min(target.length - 1, Math.floor(index / (1 + this.redundancy)));
    target.fill(0, last + 1);
    this.uniform(seed, generation, index, PIPELINE_DOMAIN, target.subarray(0, last + 1));
    target[last] ||= 1;
  }
}

let cauchyInverses = new Uint8Array(0);

/** Returns the inverse of each element of the field of the cauchy code. */
function inverses() {
  if (cauchyInverses.length === 0) {
    cauchyInverses = new Uint8Array(256);
    const powers = [1];
    for (let exponent = 1; exponent < 255; exponent++) {
      const twice = powers[exponent - 1] << 1; // 2 generates this field
      powers.push(twice & 0x100 ? twice ^ CAUCHY_POLYNOMIAL : twice);
    }
    powers.forEach((power, exponent) => {
      cauchyInverses[power] = powers[(255 - exponent) % 255];
    });
  }
  return cauchyInverses;
}
