import { Heap } from './heap.js';
import { stride } from './kernels.js';

const CHUNK = 64;
const GROUP = 4;
const GROUPS = CHUNK / GROUP;
const STRIP_WORDS = 16;
const STRIP_BYTES = 4 * STRIP_WORDS;

/** The kernels in JavaScript, by the methods of galois.c: four bytes at a time. */
export class ScalarKernels {
  constructor() {
    this.name = 'js';
    this.words = new Int32Array(1 << 14);
    this.heap = new Heap(new Uint8Array(this.words.buffer), 0, (bytes) => {
      const grown = new Uint8Array(Math.ceil(bytes / 4) * 4);
      grown.set(this.heap.bytes);
      this.words = new Int32Array(grown.buffer);
      return grown;
    });
    this.polynomial = 0;
    /** The product of a and b at 256·a + b. */
    this.products = new Uint8Array(1 << 16);
    this.sums = new Int32Array(GROUPS * 16 * STRIP_WORDS);
    this.schedule = new Int32Array(64);
  }

  /** @param {number} polynomial with x^8 */
  start(polynomial) {
    this.polynomial = polynomial & 0xff;
    for (let a = 0; a < 256; a++) {
      for (let b = 1; b < 256; b++) {
        const twice = this.products[a << 8 | b >> 1] << 1;
        this.products[a << 8 | b] = (twice & 0x100 ? twice ^ polynomial : twice) ^ (b & 1 ? a : 0);
      }
    }
  }

  inverse(element) {
    return this.products.subarray(element << 8, (element + 1) << 8).indexOf(1);
  }

  addMultiple(to, from, factor, bytes) {
    const { products } = this;
    const memory = this.heap.bytes;
    const row = factor << 8;
    for (let at = 0; at < bytes; at++) {
      memory[to + at] ^= products[row | memory[from + at]];
    }
  }

  basisAdd(rows, isPivot, n, vector, number) {
    const memory = this.heap.bytes;
    const pitch = 2 * stride(n);
    const work = rows + n * pitch;
    memory.fill(0, work, work + pitch);
    memory.copyWithin(work, vector, vector + n);
    memory[work + stride(n) + number] = 1;
    let pivot = -1;
    for (let p = 0; p < n; p++) {
      if (memory[work + p] === 0) {
        continue;
      }
      if (memory[isPivot + p] !== 0) {
        this.addMultiple(work, rows + p * pitch, memory[work + p], pitch);
      } else if (pivot < 0) {
        pivot = p;
      }
    }
    if (pivot < 0) {
      return -1;
    }
    const row = rows + pivot * pitch;
    memory.fill(0, row, row + pitch);
    this.addMultiple(row, work, this.inverse(memory[work + pivot]), pitch);
    for (let p = 0; p < n; p++) {
      if (memory[isPivot + p] !== 0 && memory[rows + p * pitch + pivot] !== 0) {
        this.addMultiple(rows + p * pitch, row, memory[rows + p * pitch + pivot], pitch);
      }
    }
    memory[isPivot + pivot] = 1;
    return pivot;
  }

  multiply(out, outPitch, coefficients, coefficientPitch, rows, n, input, inputPitch, bytes) {
    const selected = new Uint16Array(rows * 8 * GROUPS);
    for (let first = 0; first < n; first += CHUNK) {
      const count = Math.min(n - first, CHUNK);
      this.selectSums(coefficients + first, coefficientPitch, rows, count, selected);
      for (let at = 0; at < bytes; at += STRIP_BYTES) {
        this.makeSums(input + first * inputPitch + at, inputPitch, count);
        for (let row = 0; row < rows; row++) {
          this.addStrip(out + row * outPitch + at, selected, row * 8 * GROUPS, Math.ceil(count / GROUP), first === 0);
        }
      }
    }
  }

  selectSums(coefficients, pitch, rows, count, selected) {
    const memory = this.heap.bytes;
    let next = 0;
    for (let row = 0; row < rows; row++) {
      for (let bit = 7; bit >= 0; bit--) {
        for (let group = 0; group < GROUPS; group++) {
          let sum = 0;
          for (let i = 0; i < GROUP && group * GROUP + i < count; i++) {
            sum |= (memory[coefficients + row * pitch + group * GROUP + i] >> bit & 1) << i;
          }
          selected[next++] = (group * 16 + sum) * STRIP_WORDS;
        }
      }
    }
  }

  makeSums(input, pitch, count) {
    const { words, sums } = this;
    for (let group = 0; group < GROUPS; group++) {
      for (let i = 0; i < GROUP; i++) {
        const row = group * GROUP + i;
        for (let sum = 0; sum < 1 << i; sum++) {
          const from = (group * 16 + sum) * STRIP_WORDS;
          const to = (group * 16 + (sum | 1 << i)) * STRIP_WORDS;
          for (let at = 0; at < STRIP_WORDS; at++) {
            sums[to + at] = sums[from + at] ^ (row < count ? words[(input + row * pitch >> 2) + at] : 0);
          }
        }
      }
    }
  }

  addStrip(out, selected, from, groups, isFirst) {
    const { words, sums, polynomial } = this;
    for (let at = 0; at < STRIP_WORDS; at += 4) {
      let a = 0;
      let b = 0;
      let c = 0;
      let d = 0;
      for (let bit = 0; bit < 8; bit++) {
        a = (a & 0x7f7f7f7f) << 1 ^ Math.imul(a >>> 7 & 0x01010101, polynomial);
        b = (b & 0x7f7f7f7f) << 1 ^ Math.imul(b >>> 7 & 0x01010101, polynomial);
        c = (c & 0x7f7f7f7f) << 1 ^ Math.imul(c >>> 7 & 0x01010101, polynomial);
        d = (d & 0x7f7f7f7f) << 1 ^ Math.imul(d >>> 7 & 0x01010101, polynomial);
        const end = from + bit * GROUPS + groups;
        for (let group = from + bit * GROUPS; group < end; group++) {
          const sum = selected[group] + at;
          a ^= sums[sum];
          b ^= sums[sum + 1];
          c ^= sums[sum + 2];
          d ^= sums[sum + 3];
        }
      }
      const to = (out >> 2) + at;
      words[to] = isFirst ? a : words[to] ^ a;
      words[to + 1] = isFirst ? b : words[to + 1] ^ b;
      words[to + 2] = isFirst ? c : words[to + 2] ^ c;
      words[to + 3] = isFirst ? d : words[to + 3] ^ d;
    }
  }

  sha256(out, prefix, messages, pitch, count, bytes) {
    const blocks = Math.ceil((bytes + 10) / 64);
    const padded = new Uint8Array(64 * blocks);
    const view = new DataView(padded.buffer);
    for (let message = 0; message < count; message++) {
      const at = messages + message * pitch;
      padded[0] = prefix;
      padded.set(this.heap.bytes.subarray(at, at + bytes), 1);
      padded[bytes + 1] = 0x80;
      view.setUint32(padded.length - 8, Math.floor((bytes + 1) / 2 ** 29));
      view.setUint32(padded.length - 4, (bytes + 1) * 8);
      const state = INITIAL.slice();
      for (let block = 0; block < blocks; block++) {
        compress(state, this.schedule, view, block * 64);
      }
      const target = new DataView(this.heap.bytes.buffer, out + message * 32, 32);
      for (let i = 0; i < 8; i++) {
        target.setInt32(4 * i, state[i]);
      }
    }
  }
}

/** The first 32 bits of the fractional parts of roots of the first primes (FIPS 180-4). */
function primeRoots(count, root) {
  const roots = [];
  for (let candidate = 2; roots.length < count; candidate++) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) {
      isPrime &&= candidate % divisor !== 0;
    }
    if (isPrime) {
      roots.push((root(candidate) % 1) * 2 ** 32 | 0);
    }
  }
  return Int32Array.from(roots);
}

const INITIAL = primeRoots(8, Math.sqrt);
const CONSTANTS = primeRoots(64, Math.cbrt);

function compress(state, w, view, offset) {
  for (let i = 0; i < 16; i++) {
    w[i] = view.getInt32(offset + 4 * i);
  }
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15];
    const y = w[i - 2];
    w[i] = w[i - 16] + w[i - 7]
        + ((x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3)
        + ((y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10);
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const t1 = h + ((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7))
        + (g ^ e & (f ^ g)) + CONSTANTS[i] + w[i] | 0;
    const t2 = ((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + (a & b ^ c & (a ^ b)) | 0;
    h = g;
    g = f;
    f = e;
    e = d + t1 | 0;
    d = c;
    c = b;
    b = a;
    a = t1 + t2 | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}
