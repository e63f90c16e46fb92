// Arithmetic in GF(2^8) for receivers in browsers: products of matrices, and a basis that grows by one coding vector
// at a time. lib/kernels.js has the same in JavaScript, and loads this file.
//
// A product of a row of coefficients with 64 rows of bytes is computed bit by bit (the method of the four Russians): a
// table has all 16 sums of each 4 rows. For each bit of the coefficients, from the highest one on, the sum so far is
// doubled, and the sum of those rows is added whose coefficient has that bit. So a coefficient costs two loads and
// additions, and no multiplication.
#include "galois.h"

#include <wasm_simd128.h>

#define EXPORT __attribute__((visibility("default")))

// Columns of a product that are computed at once, 4 vectors; and the rows that one set of tables sums up.
#define STRIP 64
#define CHUNK 64
#define GROUP 4
#define GROUPS (CHUNK / GROUP)
#define SUMS (1 << GROUP)
#define BITS 8

static uint8_t polynomial; // without x^8

// The products of each element with 0 ... 15, and with 16 times these.
static _Alignas(16) uint8_t nibbles[256][2][16];

static _Alignas(16) uint8_t sums[GROUPS][SUMS][STRIP];

static inline uint8_t multiply_one(uint8_t a, uint8_t b) {
  uint32_t product = 0;
  for (int bit = BITS - 1; bit >= 0; bit--) {
    product = product << 1 ^ (product & 0x80 ? 0x100u | polynomial : 0);
    product ^= b >> bit & 1 ? a : 0;
  }
  return (uint8_t)product;
}

EXPORT void start(uint32_t low_bits) {
  polynomial = (uint8_t)low_bits;
  for (int a = 0; a < 256; a++) {
    for (int b = 0; b < 16; b++) {
      nibbles[a][0][b] = multiply_one((uint8_t)a, (uint8_t)b);
      nibbles[a][1][b] = multiply_one((uint8_t)a, (uint8_t)(b << 4));
    }
  }
}

// to += factor * from, where bytes is a multiple of 16.
static inline void add_multiple(uint8_t *to, const uint8_t *from, uint8_t factor, int bytes) {
  v128_t low = wasm_v128_load(nibbles[factor][0]), high = wasm_v128_load(nibbles[factor][1]);
  v128_t mask = wasm_i8x16_splat(15);
  for (int at = 0; at < bytes; at += 16) {
    v128_t x = wasm_v128_load(from + at);
    v128_t product = wasm_v128_xor(wasm_i8x16_swizzle(low, wasm_v128_and(x, mask)),
                                   wasm_i8x16_swizzle(high, wasm_u8x16_shr(x, 4)));
    wasm_v128_store(to + at, wasm_v128_xor(wasm_v128_load(to + at), product));
  }
}

static inline uint8_t inverse(uint8_t a) {
  uint8_t power = a, result = 1; // a^254
  for (int bit = 1; bit < BITS; bit++) {
    power = multiply_one(power, power);
    result = multiply_one(result, power);
  }
  return result;
}

// Adds a vector of n coefficients to a basis. Row p of the basis, of 2 * stride bytes, has a vector whose first element
// that is not zero is 1 at p, and from stride on the combination of the vectors added that makes it. The last row is
// scratch. Every vector has zeros at the p of all others. Returns p, or -1 if the vector is a combination of the others.
EXPORT int32_t basis_add(uint8_t *rows, uint8_t *is_pivot, int32_t n, int32_t stride, const uint8_t *vector, int32_t number) {
  int32_t pitch = 2 * stride, pivot = -1;
  uint8_t *work = rows + (size_t)n * (size_t)pitch;
  for (int32_t at = 0; at < pitch; at++) {
    work[at] = at < n ? vector[at] : 0;
  }
  work[stride + number] = 1;
  for (int32_t p = 0; p < n; p++) {
    if (work[p] == 0) {
      continue;
    }
    if (is_pivot[p]) {
      add_multiple(work, rows + p * pitch, work[p], pitch);
    } else if (pivot < 0) {
      pivot = p;
    }
  }
  if (pivot < 0) {
    return -1;
  }
  uint8_t *row = rows + pivot * pitch;
  for (int32_t at = 0; at < pitch; at += 16) {
    wasm_v128_store(row + at, wasm_i8x16_splat(0));
  }
  add_multiple(row, work, inverse(work[pivot]), pitch);
  for (int32_t p = 0; p < n; p++) {
    if (is_pivot[p] && rows[p * pitch + pivot] != 0) {
      add_multiple(rows + p * pitch, row, rows[p * pitch + pivot], pitch);
    }
  }
  is_pivot[pivot] = 1;
  return pivot;
}

// Writes where the sums lie that the coefficients of a row select: of each bit, the highest one first, and each group.
static inline void select_sums(const uint8_t *coefficients, int count, uint16_t *selected) {
  for (int bit = BITS - 1; bit >= 0; bit--) {
    for (int group = 0; group < GROUPS; group++) {
      int sum = 0;
      for (int i = 0; i < GROUP; i++) {
        int at = group * GROUP + i;
        sum |= at < count ? (coefficients[at] >> bit & 1) << i : 0;
      }
      *selected++ = (uint16_t)(sum * STRIP);
    }
  }
}

static inline void make_sums(const uint8_t *in, int32_t pitch, int count) {
  for (int group = 0; group < GROUPS; group++) {
    for (int at = 0; at < STRIP; at += 16) {
      wasm_v128_store(sums[group][0] + at, wasm_i8x16_splat(0));
      for (int i = 0; i < GROUP; i++) {
        int row = group * GROUP + i;
        v128_t x = row < count ? wasm_v128_load(in + row * pitch + at) : wasm_i8x16_splat(0);
        for (int sum = 0; sum < 1 << i; sum++) {
          wasm_v128_store(sums[group][sum | 1 << i] + at, wasm_v128_xor(wasm_v128_load(sums[group][sum] + at), x));
        }
      }
    }
  }
}

static inline v128_t twice(v128_t x, v128_t reduction) {
  v128_t carried = wasm_v128_and(wasm_i8x16_shr(x, 7), reduction);
  return wasm_v128_xor(wasm_i8x16_add(x, x), carried);
}

// Computes a strip of one row of a product; adds it to out unless is_first.
static inline void strip(uint8_t *out, const uint16_t *selected, int groups, int is_first) {
  v128_t reduction = wasm_i8x16_splat((int8_t)polynomial), zero = wasm_i8x16_splat(0);
  v128_t a = zero, b = zero, c = zero, d = zero;
  for (int bit = 0; bit < BITS; bit++, selected += GROUPS) {
    a = twice(a, reduction);
    b = twice(b, reduction);
    c = twice(c, reduction);
    d = twice(d, reduction);
    for (int group = 0; group < groups; group++) {
      const uint8_t *sum = sums[group][0] + selected[group];
      a = wasm_v128_xor(a, wasm_v128_load(sum));
      b = wasm_v128_xor(b, wasm_v128_load(sum + 16));
      c = wasm_v128_xor(c, wasm_v128_load(sum + 32));
      d = wasm_v128_xor(d, wasm_v128_load(sum + 48));
    }
  }
  if (!is_first) {
    a = wasm_v128_xor(a, wasm_v128_load(out));
    b = wasm_v128_xor(b, wasm_v128_load(out + 16));
    c = wasm_v128_xor(c, wasm_v128_load(out + 32));
    d = wasm_v128_xor(d, wasm_v128_load(out + 48));
  }
  wasm_v128_store(out, a);
  wasm_v128_store(out + 16, b);
  wasm_v128_store(out + 32, c);
  wasm_v128_store(out + 48, d);
}

// out = coefficients * in: a product of rows x n coefficients with n rows of bytes, a multiple of 64. A pitch is the
// distance between rows. The scratch has rows * 256 bytes.
EXPORT void multiply(uint8_t *out, int32_t out_pitch, const uint8_t *coefficients, int32_t coefficient_pitch,
                     int32_t rows, int32_t n, const uint8_t *in, int32_t in_pitch, int32_t bytes, uint16_t *scratch) {
  for (int32_t first = 0; first < n; first += CHUNK) {
    int count = n - first < CHUNK ? n - first : CHUNK, groups = (count + GROUP - 1) / GROUP;
    for (int32_t row = 0; row < rows; row++) {
      select_sums(coefficients + row * coefficient_pitch + first, count, scratch + row * BITS * GROUPS);
    }
    for (int32_t at = 0; at < bytes; at += STRIP) {
      make_sums(in + first * in_pitch + at, in_pitch, count);
      for (int32_t row = 0; row < rows; row++) {
        strip(out + row * out_pitch + at, scratch + row * BITS * GROUPS, groups, first == 0);
      }
    }
  }
}
