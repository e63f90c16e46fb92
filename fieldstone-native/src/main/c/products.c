// Products over GF(2^8). A multiplication by a constant is linear over GF(2): one affine transform of a vector with
// GFNI, else two shuffles of tables of 16 products. products_tiles.h has the loops, inversions.h what is made of them;
// this file has, for each level, its vectors, its step, and the size of its tiles: as many sums as there are registers
// for.
#include "fieldstone.h"

// Sources of a strip that are copied together, if they lie badly.
#define PASS_SOURCES 256

// Rows of products for which a copy of the sources pays off.
#define MIN_PACKED_ROWS 12

// Rows that are a multiple of this apart share few sets of the first cache.
#define ALIASING_STRIDE 512

#if defined(__x86_64__)

#include <immintrin.h>

// AVX-512 and GFNI: two sources at a time, whose products one ternary XOR adds.
#define LEVEL avx512_gfni
#define TARGET FS_TARGET_AVX512_GFNI
#define VECTOR_BYTES 64
#define TILE_ROWS 8
#define TILE_VECTORS 2
#define TABLE_BYTES 8
#define SOURCE_PAIRS 1

// The truth table of a ^ b ^ c.
#define XOR3 0x96

typedef __m512i vector_avx512_gfni;
typedef __m512i source_avx512_gfni;
typedef __m512i factor_avx512_gfni;

FS_INLINE TARGET __m512i zero_avx512_gfni(void) { return _mm512_setzero_si512(); }
FS_INLINE TARGET __m512i load_avx512_gfni(const uint8_t *from) { return _mm512_loadu_si512(from); }
FS_INLINE TARGET void store_avx512_gfni(uint8_t *to, __m512i x) { _mm512_storeu_si512(to, x); }
FS_INLINE TARGET __m512i load_part_avx512_gfni(const uint8_t *from, int64_t bytes) {
  return _mm512_maskz_loadu_epi8(bytes > 0 ? ~0ULL >> (64 - bytes) : 0, from);
}
FS_INLINE TARGET void store_part_avx512_gfni(uint8_t *to, __m512i x, int64_t bytes) {
  _mm512_mask_storeu_epi8(to, bytes > 0 ? ~0ULL >> (64 - bytes) : 0, x);
}
FS_INLINE TARGET __m512i add_avx512_gfni(__m512i a, __m512i b) { return _mm512_xor_si512(a, b); }
FS_INLINE TARGET __m512i to_source_avx512_gfni(__m512i x) { return x; }
FS_INLINE TARGET __m512i to_factor_avx512_gfni(const uint8_t *table) {
  return _mm512_set1_epi64(*(const int64_t *)table);
}
FS_INLINE TARGET __m512i add_product_avx512_gfni(__m512i sum, __m512i x, __m512i f) {
  return _mm512_xor_si512(sum, _mm512_gf2p8affine_epi64_epi8(x, f, 0));
}
FS_INLINE TARGET __m512i add_products_avx512_gfni(__m512i sum, __m512i x, __m512i f, __m512i y, __m512i g) {
  return _mm512_ternarylogic_epi64(sum, _mm512_gf2p8affine_epi64_epi8(x, f, 0), _mm512_gf2p8affine_epi64_epi8(y, g, 0),
                                   XOR3);
}
TARGET FS_AFFINE_CEILING(avx512_gfni) {
  __m512i sums[FS_CEILING_SUMS], f = _mm512_set1_epi64(0x8040201008040300), g = _mm512_set1_epi64(0x0102040810204081);
  for (int i = 0; i < FS_CEILING_SUMS; i++) sums[i] = _mm512_set1_epi64(i);
  for (int64_t step = 0; step < steps; step++) {
#pragma GCC unroll 16
    for (int i = 0; i < FS_CEILING_SUMS; i++) {
      // The next sum as a second source: each product depends on the step before.
      __m512i other = sums[(i + 1) % FS_CEILING_SUMS];
      sums[i] = add_products_avx512_gfni(sums[i], sums[i], f, other, g);
    }
  }
  for (int i = 1; i < FS_CEILING_SUMS; i++) sums[0] = add_avx512_gfni(sums[0], sums[i]);
  return (uint8_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(sums[0]));
}

#include "products_level.h"


// AVX2. Rows of vectors that are cut off are moved byte by byte: this is rare, since strips are copied first.
FS_INLINE FS_TARGET_AVX2 __m256i load_part_avx2(const uint8_t *from, int64_t bytes) {
  _Alignas(32) uint8_t copy[32] = {0};
  for (int64_t i = 0; i < bytes; i++) copy[i] = from[i];
  return _mm256_load_si256((const __m256i *)copy);
}
FS_INLINE FS_TARGET_AVX2 void store_part_avx2(uint8_t *to, __m256i x, int64_t bytes) {
  _Alignas(32) uint8_t copy[32];
  _mm256_store_si256((__m256i *)copy, x);
  for (int64_t i = 0; i < bytes; i++) to[i] = copy[i];
}
FS_INLINE FS_TARGET_AVX2 __m256i zero_avx2(void) { return _mm256_setzero_si256(); }
FS_INLINE FS_TARGET_AVX2 __m256i load_avx2(const uint8_t *from) { return _mm256_loadu_si256((const __m256i *)from); }
FS_INLINE FS_TARGET_AVX2 void store_avx2(uint8_t *to, __m256i x) { _mm256_storeu_si256((__m256i *)to, x); }
FS_INLINE FS_TARGET_AVX2 __m256i add_avx2(__m256i a, __m256i b) { return _mm256_xor_si256(a, b); }

// AVX2 and GFNI: 8 sums, 2 sources, a factor and a product fit 16 registers.
#define LEVEL avx2_gfni
#define TARGET FS_TARGET_AVX2_GFNI
#define VECTOR_BYTES 32
#define TILE_ROWS 4
#define TILE_VECTORS 2
#define TABLE_BYTES 8
#define SOURCE_PAIRS 0

typedef __m256i vector_avx2_gfni;
typedef __m256i source_avx2_gfni;
typedef __m256i factor_avx2_gfni;

#define zero_avx2_gfni zero_avx2
#define load_avx2_gfni load_avx2
#define store_avx2_gfni store_avx2
#define load_part_avx2_gfni load_part_avx2
#define store_part_avx2_gfni store_part_avx2
#define add_avx2_gfni add_avx2
FS_INLINE TARGET __m256i to_source_avx2_gfni(__m256i x) { return x; }
FS_INLINE TARGET __m256i to_factor_avx2_gfni(const uint8_t *table) {
  return _mm256_set1_epi64x(*(const int64_t *)table);
}
FS_INLINE TARGET __m256i add_product_avx2_gfni(__m256i sum, __m256i x, __m256i f) {
  return _mm256_xor_si256(sum, _mm256_gf2p8affine_epi64_epi8(x, f, 0));
}
TARGET FS_AFFINE_CEILING(avx2_gfni) {
  __m256i sums[FS_CEILING_SUMS], f = _mm256_set1_epi64x(0x8040201008040300), g = _mm256_set1_epi64x(0x0102040810204081);
  for (int i = 0; i < FS_CEILING_SUMS; i++) sums[i] = _mm256_set1_epi64x(i);
  for (int64_t step = 0; step < steps; step++) {
#pragma GCC unroll 16
    for (int i = 0; i < FS_CEILING_SUMS; i++) {
      // The next sum as a second source: each product depends on the step before.
      __m256i other = sums[(i + 1) % FS_CEILING_SUMS];
      sums[i] = add_product_avx2_gfni(add_product_avx2_gfni(sums[i], sums[i], f), other, g);
    }
  }
  for (int i = 1; i < FS_CEILING_SUMS; i++) sums[0] = add_avx2_gfni(sums[0], sums[i]);
  return (uint8_t)_mm_cvtsi128_si32(_mm256_castsi256_si128(sums[0]));
}

#include "products_level.h"

// AVX2: shuffles of the two tables of a factor by the low and the high 4 bits of a source.
#define LEVEL avx2
#define TARGET FS_TARGET_AVX2
#define VECTOR_BYTES 32
#define TILE_ROWS 4
#define TILE_VECTORS 2
#define TABLE_BYTES 32
#define SOURCE_PAIRS 0

typedef __m256i vector_avx2;
typedef struct { __m256i low, high; } source_avx2;
typedef struct { __m256i low, high; } factor_avx2;

FS_INLINE TARGET source_avx2 to_source_avx2(__m256i x) {
  __m256i mask = _mm256_set1_epi8(15);
  return (source_avx2){_mm256_and_si256(x, mask), _mm256_and_si256(_mm256_srli_epi16(x, 4), mask)};
}
FS_INLINE TARGET factor_avx2 to_factor_avx2(const uint8_t *table) {
  const __m128i *halves = (const __m128i *)table;
  return (factor_avx2){_mm256_broadcastsi128_si256(halves[0]), _mm256_broadcastsi128_si256(halves[1])};
}
FS_INLINE TARGET __m256i add_product_avx2(__m256i sum, source_avx2 x, factor_avx2 f) {
  __m256i low = _mm256_shuffle_epi8(f.low, x.low);
  return _mm256_xor_si256(_mm256_xor_si256(sum, low), _mm256_shuffle_epi8(f.high, x.high));
}
#include "products_level.h"

#elif defined(__aarch64__)

#include <arm_neon.h>

// NEON: table look-ups by the low and the high 4 bits of a source. 16 sums, 8 sources and a factor fit the registers.
#define LEVEL neon
#define TARGET
#define VECTOR_BYTES 16
#define TILE_ROWS 4
#define TILE_VECTORS 4
#define TABLE_BYTES 32
#define SOURCE_PAIRS 0

typedef uint8x16_t vector_neon;
typedef struct { uint8x16_t low, high; } source_neon;
typedef struct { uint8x16_t low, high; } factor_neon;

FS_INLINE uint8x16_t zero_neon(void) { return vdupq_n_u8(0); }
FS_INLINE uint8x16_t load_neon(const uint8_t *from) { return vld1q_u8(from); }
FS_INLINE void store_neon(uint8_t *to, uint8x16_t x) { vst1q_u8(to, x); }
FS_INLINE uint8x16_t load_part_neon(const uint8_t *from, int64_t bytes) {
  uint8_t copy[16] = {0};
  for (int64_t i = 0; i < bytes; i++) copy[i] = from[i];
  return vld1q_u8(copy);
}
FS_INLINE void store_part_neon(uint8_t *to, uint8x16_t x, int64_t bytes) {
  uint8_t copy[16];
  vst1q_u8(copy, x);
  for (int64_t i = 0; i < bytes; i++) to[i] = copy[i];
}
FS_INLINE uint8x16_t add_neon(uint8x16_t a, uint8x16_t b) { return veorq_u8(a, b); }
FS_INLINE source_neon to_source_neon(uint8x16_t x) {
  return (source_neon){vandq_u8(x, vdupq_n_u8(15)), vshrq_n_u8(x, 4)};
}
FS_INLINE factor_neon to_factor_neon(const uint8_t *table) {
  return (factor_neon){vld1q_u8(table), vld1q_u8(table + 16)};
}
FS_INLINE uint8x16_t add_product_neon(uint8x16_t sum, source_neon x, factor_neon f) {
  return veorq_u8(veorq_u8(sum, vqtbl1q_u8(f.low, x.low)), vqtbl1q_u8(f.high, x.high));
}
#include "products_level.h"

#endif
