// SHA-256 (FIPS 180-4) of messages of equal length, each after one byte of prefix, four at a time: one in each lane.
#include "galois.h"

#include <wasm_simd128.h>

#define EXPORT __attribute__((visibility("default")))

static const uint32_t constants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static inline v128_t rotate(v128_t x, int bits) {
  return wasm_v128_or(wasm_u32x4_shr(x, bits), wasm_i32x4_shl(x, 32 - bits));
}

static inline v128_t xor3(v128_t a, v128_t b, v128_t c) { return wasm_v128_xor(wasm_v128_xor(a, b), c); }

static inline v128_t add(v128_t a, v128_t b) { return wasm_i32x4_add(a, b); }

static void compress(v128_t state[8], v128_t w[16]) {
  v128_t a = state[0], b = state[1], c = state[2], d = state[3];
  v128_t e = state[4], f = state[5], g = state[6], h = state[7];
  for (int block = 0; block < 64; block += 16) {
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
      if (block > 0) {
        v128_t w15 = w[(i + 1) & 15], w2 = w[(i + 14) & 15];
        v128_t s0 = xor3(rotate(w15, 7), rotate(w15, 18), wasm_u32x4_shr(w15, 3));
        v128_t s1 = xor3(rotate(w2, 17), rotate(w2, 19), wasm_u32x4_shr(w2, 10));
        w[i] = add(add(w[i], s0), add(w[(i + 9) & 15], s1));
      }
      v128_t choice = wasm_v128_xor(g, wasm_v128_and(e, wasm_v128_xor(f, g)));
      v128_t t1 = add(add(h, xor3(rotate(e, 6), rotate(e, 11), rotate(e, 25))),
                      add(add(choice, w[i]), wasm_i32x4_splat((int32_t)constants[block + i])));
      v128_t majority = wasm_v128_xor(wasm_v128_and(a, b), wasm_v128_and(c, wasm_v128_xor(a, b)));
      v128_t t2 = add(xor3(rotate(a, 2), rotate(a, 13), rotate(a, 22)), majority);
      h = g;
      g = f;
      f = e;
      e = add(d, t1);
      d = c;
      c = b;
      b = a;
      a = add(t1, t2);
    }
  }
  v128_t result[8] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; i++) {
    state[i] = add(state[i], result[i]);
  }
}

// Returns a byte of a padded message with its prefix.
static inline uint8_t padded(const uint8_t *message, uint32_t bytes, uint32_t blocks, uint8_t prefix, uint32_t at) {
  if (at == 0) {
    return prefix;
  }
  if (at <= bytes) {
    return message[at - 1];
  }
  uint32_t from_end = blocks * 64 - 1 - at;
  uint64_t bits = ((uint64_t)bytes + 1) * 8;
  return at == bytes + 1 ? 0x80 : from_end < 8 ? (uint8_t)(bits >> from_end * 8) : 0;
}

static inline v128_t swapped(v128_t x) {
  return wasm_i8x16_shuffle(x, x, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
}

// Loads 16 words of each of four messages, word i of all of them in w[i].
static inline void load_words(const uint8_t *const from[4], v128_t w[16]) {
  for (int i = 0; i < 16; i += 4) {
    v128_t a = wasm_v128_load(from[0] + 4 * i), b = wasm_v128_load(from[1] + 4 * i);
    v128_t c = wasm_v128_load(from[2] + 4 * i), d = wasm_v128_load(from[3] + 4 * i);
    v128_t ab = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), cd = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5);
    v128_t ef = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7), gh = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
    w[i] = swapped(wasm_i64x2_shuffle(ab, cd, 0, 2));
    w[i + 1] = swapped(wasm_i64x2_shuffle(ab, cd, 1, 3));
    w[i + 2] = swapped(wasm_i64x2_shuffle(ef, gh, 0, 2));
    w[i + 3] = swapped(wasm_i64x2_shuffle(ef, gh, 1, 3));
  }
}

static void four(const uint8_t *const messages[4], uint32_t bytes, uint8_t prefix, uint8_t *const out[4]) {
  uint32_t blocks = (bytes + 1 + 9 + 63) / 64;
  v128_t state[8], w[16];
  for (int i = 0; i < 8; i++) {
    state[i] = wasm_i32x4_splat((int32_t)initial[i]);
  }
  uint8_t made[4][64];
  for (uint32_t block = 0; block < blocks; block++) {
    const uint8_t *from[4];
    int is_made = block == 0 || block * 64 + 64 > bytes + 1;
    for (int lane = 0; lane < 4; lane++) {
      if (is_made) {
        for (uint32_t at = 0; at < 64; at++) {
          made[lane][at] = padded(messages[lane], bytes, blocks, prefix, block * 64 + at);
        }
      }
      from[lane] = is_made ? made[lane] : messages[lane] + block * 64 - 1;
    }
    load_words(from, w);
    compress(state, w);
  }
  for (int lane = 0; lane < 4; lane++) {
    for (int i = 0; i < 8; i++) {
      uint32_t word = ((uint32_t *)&state[i])[lane];
      for (int at = 0; at < 4; at++) {
        out[lane][4 * i + at] = (uint8_t)(word >> (24 - 8 * at));
      }
    }
  }
}

// Writes the hashes of count messages that lie pitch bytes apart. out may be the memory of the messages if their pitch
// is at least 32 bytes: a hash is written once all messages up to its place are read.
EXPORT void sha256(uint8_t *out, uint32_t prefix, const uint8_t *messages, uint32_t pitch, uint32_t count, uint32_t bytes) {
  for (uint32_t first = 0; first < count; first += 4) {
    const uint8_t *from[4];
    uint8_t *to[4];
    for (uint32_t lane = 0; lane < 4; lane++) {
      uint32_t message = first + lane < count ? first + lane : count - 1;
      from[lane] = messages + message * pitch;
      to[lane] = out + message * 32;
    }
    four(from, bytes, (uint8_t)prefix, to);
  }
}
