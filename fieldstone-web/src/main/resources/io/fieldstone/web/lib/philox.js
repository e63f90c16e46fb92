/**
 * Computes the random words of one counter with Philox4x32-10 of Salmon, Moraes, Dror and Shaw (SC 2011).
 * @param {number} key0 the low 32 bits of the seed
 * @param {number} key1 the high ones
 * @param {number} c0 counter words 0 … 3
 * @param {number} c1
 * @param {number} c2
 * @param {number} c3
 * @param {Uint32Array} out receives four words
 */
export function philox(key0, key1, c0, c1, c2, c3, out) {
  for (let round = 0; round < 10; round++) {
    const high0 = high(0xd2511f53, c0);
    const high1 = high(0xcd9e8d57, c2);
    const low0 = Math.imul(0xd2511f53, c0);
    const low1 = Math.imul(0xcd9e8d57, c2);
    c0 = high1 ^ c1 ^ key0;
    c2 = high0 ^ c3 ^ key1;
    c1 = low1;
    c3 = low0;
    key0 = key0 + 0x9e3779b9 | 0;
    key1 = key1 + 0xbb67ae85 | 0;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

/** Returns the high 32 bits of the product of two numbers of 32 bits. */
function high(a, b) {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = aHigh * bLow + (aLow * bLow >>> 16);
  const cross = aLow * bHigh + (middle & 0xffff);
  return aHigh * bHigh + Math.floor(middle / 65536) + Math.floor(cross / 65536) | 0;
}
