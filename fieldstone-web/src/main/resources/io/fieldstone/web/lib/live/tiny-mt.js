// TinyMT32 of RFC 8682, and the coefficients of RFC 8681, section 3.6, over GF(2^8) with the density threshold 15.

const MAT1 = 0x8f7011ee | 0;
const MAT2 = 0xfc78ff1f | 0;
const TMAT = 0x3793fdff | 0;
const MULTIPLIER = 1812433253;
const ROUNDS = 8;

/** The generator, seeded with 32 bits. */
export class TinyMt32 {
  /** @param {number} seed */
  constructor(seed) {
    const status = Int32Array.of(seed, MAT1, MAT2, TMAT);
    for (let round = 1; round < ROUNDS; round++) {
      const previous = status[(round - 1) & 3];
      status[round & 3] ^= round + Math.imul(MULTIPLIER, previous ^ (previous >>> 30));
    }
    this.status = status;
    for (let round = 0; round < ROUNDS; round++) {
      this.advance();
    }
  }

  advance() {
    const { status } = this;
    let x = (status[0] & 0x7fffffff) ^ status[1] ^ status[2];
    x ^= x << 1;
    let y = status[3];
    y ^= (y >>> 1) ^ x;
    const odd = -(y & 1);
    status[0] = status[1];
    status[1] = status[2] ^ (odd & MAT1);
    status[2] = x ^ (y << 10) ^ (odd & MAT2);
    status[3] = y;
  }

  /** Returns the next number in 0 … 255. */
  rand256() {
    this.advance();
    const { status } = this;
    const sum = status[0] + (status[2] >>> 8) | 0;
    return (status[3] ^ sum ^ (-(sum & 1) & TMAT)) & 0xff;
  }
}

/**
 * Returns the coefficients of a repair, none of which is 0.
 * @param {number} key 0 … 65535
 * @param {number} count
 */
export function coefficients(key, count) {
  const random = new TinyMt32(key);
  const out = new Uint8Array(count);
  for (let at = 0; at < count; at++) {
    do {
      out[at] = random.rand256();
    } while (out[at] === 0);
  }
  return out;
}
