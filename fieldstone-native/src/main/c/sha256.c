// SHA-256 (FIPS 180-4) of many messages of equal length: one in each lane of a vector, or two at once by the instructions
// for SHA, whose latency would leave them idle with one. Of the blocks of 64 bytes, the first holds the prefix, and the
// last one or two hold the padding. They are made; all others are read where they lie.
#include "sha256.h"

#include "sha256_constants.h"

#define BLOCK_BYTES 64

// The byte 0x80 and the number of bits.
#define MIN_PADDING 9

// All messages of a call.
typedef struct {
  int64_t bytes;      // of the message without its prefix
  int64_t prefixes;   // bytes of the prefix: 0 or 1
  uint8_t prefix;
  int64_t blocks;     // with the padding
  int64_t made;       // blocks from this one on hold padding
} message_shape;

// The blocks of a message that are made.
typedef struct {
  _Alignas(BLOCK_BYTES) uint8_t first[BLOCK_BYTES];
  uint8_t last[2 * BLOCK_BYTES];
} made_blocks;

static inline message_shape shape_of(int64_t bytes, int32_t prefix) {
  int64_t prefixes = prefix >= 0, all = bytes + prefixes;
  return (message_shape){bytes, prefixes, (uint8_t)prefix, (all + MIN_PADDING + BLOCK_BYTES - 1) / BLOCK_BYTES,
                         all / BLOCK_BYTES};
}

static inline void copy_short(uint8_t *to, const uint8_t *from, int64_t bytes) {
  int64_t at = 0;
  for (; at + 16 <= bytes; at += 16) __builtin_memcpy(to + at, from + at, 16);
  if (bytes >= 16) {
    __builtin_memcpy(to + bytes - 16, from + bytes - 16, 16);
  } else {
    for (; at < bytes; at++) to[at] = from[at];
  }
}

static FS_NOINLINE void make_blocks(const message_shape *shape, const uint8_t *message, made_blocks *made) {
  int64_t all = shape->bytes + shape->prefixes, rest = all % BLOCK_BYTES, padded = shape->blocks - shape->made;
  for (int i = 0; i < 8; i++) {
    __builtin_memset(made->last + 16 * i, 0, 16);
  }
  if (shape->made > 0) {
    if (shape->prefixes) {
      made->first[0] = shape->prefix;
      copy_short(made->first + 1, message, BLOCK_BYTES - 1);
    }
    copy_short(made->last, message + shape->bytes - rest, rest);
  } else {
    made->last[0] = shape->prefix;
    copy_short(made->last + shape->prefixes, message, shape->bytes);
  }
  made->last[rest] = 0x80;
  uint64_t bits = __builtin_bswap64((uint64_t)all * 8);
  __builtin_memcpy(made->last + padded * BLOCK_BYTES - 8, &bits, 8);
}

// Returns a block of a message.
FS_INLINE const uint8_t *block_of(const message_shape *shape, const uint8_t *message, const made_blocks *made,
                                  int64_t block) {
  if (block >= shape->made) return made->last + (block - shape->made) * BLOCK_BYTES;
  if (block < shape->prefixes) return made->first;
  return message + block * BLOCK_BYTES - shape->prefixes;
}

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

#define EXTENSIONS_BIT (1u << 29)

int32_t fs_sha256_extensions(void) {
  uint32_t a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & EXTENSIONS_BIT) != 0;
}

#define TARGET __attribute__((target("sha,sse4.1,ssse3")))

// Puts the bytes of each word into the order of this processor.
#define BIG_ENDIAN_WORDS _mm_set_epi64x(0x0C0D0E0F08090A0B, 0x0405060700010203)

// The words of a state as the instructions hold them.
typedef struct {
  __m128i abef;
  __m128i cdgh;
} pair_state;

#define LOAD_BLOCK(w, block)                                                                                \
  for (int i = 0; i < 4; i++) {                                                                             \
    w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(block) + i), BIG_ENDIAN_WORDS);               \
  }

// Words t + 16 to t + 19 from the 16 before, which begin in w[i].
#define NEXT_WORDS(w, i)                                                                                             \
  _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w[(i) & 3], w[((i) + 1) & 3]),                             \
                                     _mm_alignr_epi8(w[((i) + 3) & 3], w[((i) + 2) & 3], 4)),                        \
                       w[((i) + 3) & 3])

FS_INLINE TARGET void compress_pair(pair_state *s0, pair_state *s1, const uint8_t *block0, const uint8_t *block1) {
  __m128i v[4], w[4];
  pair_state a = *s0, b = *s1;
#pragma GCC unroll 4
  LOAD_BLOCK(v, block0)
#pragma GCC unroll 4
  LOAD_BLOCK(w, block1)
#pragma GCC unroll 16
  for (int t = 0; t < 16; t++) {
    __m128i constants = _mm_load_si128((const __m128i *)SHA256_CONSTANTS + t);
    __m128i sum_v = _mm_add_epi32(v[t & 3], constants), sum_w = _mm_add_epi32(w[t & 3], constants);
    a.cdgh = _mm_sha256rnds2_epu32(a.cdgh, a.abef, sum_v);
    b.cdgh = _mm_sha256rnds2_epu32(b.cdgh, b.abef, sum_w);
    if (t < 12) {
      v[t & 3] = NEXT_WORDS(v, t);
      w[t & 3] = NEXT_WORDS(w, t);
    }
    a.abef = _mm_sha256rnds2_epu32(a.abef, a.cdgh, _mm_shuffle_epi32(sum_v, 0x0E));
    b.abef = _mm_sha256rnds2_epu32(b.abef, b.cdgh, _mm_shuffle_epi32(sum_w, 0x0E));
  }
  s0->abef = _mm_add_epi32(s0->abef, a.abef);
  s0->cdgh = _mm_add_epi32(s0->cdgh, a.cdgh);
  s1->abef = _mm_add_epi32(s1->abef, b.abef);
  s1->cdgh = _mm_add_epi32(s1->cdgh, b.cdgh);
}

FS_INLINE TARGET pair_state pair_start(void) {
  return (pair_state){_mm_set_epi32(SHA256_START[0], SHA256_START[1], SHA256_START[4], SHA256_START[5]),
                      _mm_set_epi32(SHA256_START[2], SHA256_START[3], SHA256_START[6], SHA256_START[7])};
}

FS_INLINE TARGET void store_pair(pair_state s, uint8_t *hash) {
  __m128i abcd = _mm_unpackhi_epi64(s.cdgh, s.abef), efgh = _mm_unpacklo_epi64(s.cdgh, s.abef);
  __m128i reverse = _mm_set_epi64x(0x0001020304050607, 0x08090A0B0C0D0E0F);
  _mm_storeu_si128((__m128i *)hash, _mm_shuffle_epi8(abcd, reverse));
  _mm_storeu_si128((__m128i *)hash + 1, _mm_shuffle_epi8(efgh, reverse));
}

#elif defined(__aarch64__)

#include <arm_neon.h>

#define TARGET FS_TARGET_NEON_PMULL

// The bits of ID_AA64ISAR0_EL1 that tell of SHA-256.
#define SHA2_SHIFT 12
#define SHA2_MASK 15

int32_t fs_sha256_extensions(void) {
  uint64_t features;
  __asm__("mrs %0, ID_AA64ISAR0_EL1" : "=r"(features));
  return (features >> SHA2_SHIFT & SHA2_MASK) != 0;
}

typedef struct {
  uint32x4_t abcd;
  uint32x4_t efgh;
} pair_state;

#define LOAD_BLOCK(w, block)                                                                \
  for (int i = 0; i < 4; i++) {                                                             \
    w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8((block) + 16 * i)));                    \
  }

// Words t + 16 to t + 19 from the 16 before, which begin in w[i].
#define NEXT_WORDS(w, i) \
  vsha256su1q_u32(vsha256su0q_u32(w[(i) & 3], w[((i) + 1) & 3]), w[((i) + 2) & 3], w[((i) + 3) & 3])

FS_INLINE TARGET void compress_pair(pair_state *s0, pair_state *s1, const uint8_t *block0, const uint8_t *block1) {
  uint32x4_t v[4], w[4];
  pair_state a = *s0, b = *s1;
#pragma GCC unroll 4
  LOAD_BLOCK(v, block0)
#pragma GCC unroll 4
  LOAD_BLOCK(w, block1)
#pragma GCC unroll 16
  for (int t = 0; t < 16; t++) {
    uint32x4_t constants = vld1q_u32(SHA256_CONSTANTS + 4 * t);
    uint32x4_t sum_v = vaddq_u32(v[t & 3], constants), sum_w = vaddq_u32(w[t & 3], constants);
    if (t < 12) {
      v[t & 3] = NEXT_WORDS(v, t);
      w[t & 3] = NEXT_WORDS(w, t);
    }
    uint32x4_t abcd = a.abcd, before = b.abcd;
    a.abcd = vsha256hq_u32(a.abcd, a.efgh, sum_v);
    b.abcd = vsha256hq_u32(b.abcd, b.efgh, sum_w);
    a.efgh = vsha256h2q_u32(a.efgh, abcd, sum_v);
    b.efgh = vsha256h2q_u32(b.efgh, before, sum_w);
  }
  s0->abcd = vaddq_u32(s0->abcd, a.abcd);
  s0->efgh = vaddq_u32(s0->efgh, a.efgh);
  s1->abcd = vaddq_u32(s1->abcd, b.abcd);
  s1->efgh = vaddq_u32(s1->efgh, b.efgh);
}

FS_INLINE TARGET pair_state pair_start(void) {
  return (pair_state){vld1q_u32(SHA256_START), vld1q_u32(SHA256_START + 4)};
}

FS_INLINE TARGET void store_pair(pair_state s, uint8_t *hash) {
  vst1q_u8(hash, vrev32q_u8(vreinterpretq_u8_u32(s.abcd)));
  vst1q_u8(hash + 16, vrev32q_u8(vreinterpretq_u8_u32(s.efgh)));
}

#endif

// Hashes messages two by two.
static TARGET void hash_pairs(const message_shape *shape, const uint8_t *messages, int64_t pitch, int64_t number,
                              uint8_t *hashes) {
  made_blocks made[2];
  for (int64_t i = 0; i < number; i += 2) {
    int64_t second = i + 1 < number;
    const uint8_t *message = messages + i * pitch, *other = message + second * pitch;
    make_blocks(shape, message, &made[0]);
    make_blocks(shape, other, &made[1]);
    pair_state s0 = pair_start(), s1 = pair_start();
    for (int64_t block = 0; block < shape->blocks; block++) {
      compress_pair(&s0, &s1, block_of(shape, message, &made[0], block), block_of(shape, other, &made[1], block));
    }
    store_pair(s0, hashes + i * FS_SHA256_BYTES);
    store_pair(s1, hashes + (i + second) * FS_SHA256_BYTES);
  }
}

#undef TARGET

#if defined(__x86_64__)

#define LEVEL avx512_gfni
#define TARGET FS_TARGET_AVX512_GFNI
#define VECTOR __m512i
#define LANES 16
#define VECTORS 2
#define ADD(a, b) _mm512_add_epi32(a, b)
#define XOR3(a, b, c) _mm512_ternarylogic_epi32(a, b, c, 0x96)
#define CHOOSE(e, f, g) _mm512_ternarylogic_epi32(e, f, g, 0xCA)
#define MAJORITY(a, b, c) _mm512_ternarylogic_epi32(a, b, c, 0xE8)
#define ROTATE(a, bits) _mm512_ror_epi32(a, bits)
#define SHIFT(a, bits) _mm512_srli_epi32(a, bits)
#define REPEAT(word) _mm512_set1_epi32((int32_t)(word))
#define LOAD_WORDS(blocks, w) load_16(blocks, w)

// Loads 16 blocks and transposes them: 2x2 words, then 4x4, then quarters of vectors.
FS_INLINE TARGET void load_16(const uint8_t *const *blocks, __m512i *w) {
  __m512i swap = _mm512_broadcast_i32x4(BIG_ENDIAN_WORDS), r[16], s[16];
#pragma GCC unroll 16
  for (int i = 0; i < 16; i++) r[i] = _mm512_shuffle_epi8(_mm512_loadu_si512(blocks[i]), swap);
#pragma GCC unroll 8
  for (int i = 0; i < 16; i += 2) {
    s[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
    s[i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 16; i += 4) {
    r[i] = _mm512_unpacklo_epi64(s[i], s[i + 2]);
    r[i + 1] = _mm512_unpackhi_epi64(s[i], s[i + 2]);
    r[i + 2] = _mm512_unpacklo_epi64(s[i + 1], s[i + 3]);
    r[i + 3] = _mm512_unpackhi_epi64(s[i + 1], s[i + 3]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    __m512i low0 = _mm512_shuffle_i32x4(r[i], r[i + 4], 0x88), high0 = _mm512_shuffle_i32x4(r[i], r[i + 4], 0xDD);
    __m512i low1 = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0x88);
    __m512i high1 = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0xDD);
    w[i] = _mm512_shuffle_i32x4(low0, low1, 0x88);
    w[i + 8] = _mm512_shuffle_i32x4(low0, low1, 0xDD);
    w[i + 4] = _mm512_shuffle_i32x4(high0, high1, 0x88);
    w[i + 12] = _mm512_shuffle_i32x4(high0, high1, 0xDD);
  }
}

#include "sha256_lanes.h"

#define LEVEL avx2
#define TARGET FS_TARGET_AVX2
#define VECTOR __m256i
#define LANES 8
#define VECTORS 1
#define ADD(a, b) _mm256_add_epi32(a, b)
#define XOR3(a, b, c) _mm256_xor_si256(_mm256_xor_si256(a, b), c)
#define CHOOSE(e, f, g) _mm256_xor_si256(g, _mm256_and_si256(e, _mm256_xor_si256(f, g)))
#define MAJORITY(a, b, c) _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(c, _mm256_or_si256(a, b)))
#define ROTATE(a, bits) _mm256_or_si256(_mm256_srli_epi32(a, bits), _mm256_slli_epi32(a, 32 - (bits)))
#define SHIFT(a, bits) _mm256_srli_epi32(a, bits)
#define REPEAT(word) _mm256_set1_epi32((int32_t)(word))
#define LOAD_WORDS(blocks, w) load_8(blocks, w)

// Loads 8 blocks and transposes each half of them: 2x2 words, then 4x4, then halves of vectors.
FS_INLINE TARGET void load_8(const uint8_t *const *blocks, __m256i *w) {
  __m256i swap = _mm256_broadcastsi128_si256(BIG_ENDIAN_WORDS), r[8], s[8];
#pragma GCC unroll 2
  for (int half = 0; half < 2; half++) {
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
      r[i] = _mm256_shuffle_epi8(_mm256_loadu_si256((const __m256i *)blocks[i] + half), swap);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 8; i += 2) {
      s[i] = _mm256_unpacklo_epi32(r[i], r[i + 1]);
      s[i + 1] = _mm256_unpackhi_epi32(r[i], r[i + 1]);
    }
#pragma GCC unroll 2
    for (int i = 0; i < 8; i += 4) {
      r[i] = _mm256_unpacklo_epi64(s[i], s[i + 2]);
      r[i + 1] = _mm256_unpackhi_epi64(s[i], s[i + 2]);
      r[i + 2] = _mm256_unpacklo_epi64(s[i + 1], s[i + 3]);
      r[i + 3] = _mm256_unpackhi_epi64(s[i + 1], s[i + 3]);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
      w[8 * half + i] = _mm256_permute2x128_si256(r[i], r[i + 4], 0x20);
      w[8 * half + i + 4] = _mm256_permute2x128_si256(r[i], r[i + 4], 0x31);
    }
  }
}

#include "sha256_lanes.h"

// Measured: with fewer messages, one vector of 16 lanes is slower than pairs, and two are slower than one.
#define MIN_LANES 10
#define MIN_VECTORS_2 24

FS_SHA256(avx512_gfni) {
  message_shape shape = shape_of(bytes, prefix);
  for (int64_t group; number > 0; number -= group) {
    group = number >= 32 ? 32 : number >= MIN_VECTORS_2 || number < 16 ? number : 16;
    if (group < MIN_LANES && extensions) {
      hash_pairs(&shape, messages, pitch, group, hashes);
    } else {
      hash_lanes_avx512_gfni(&shape, messages, pitch, group, hashes);
    }
    messages += group * pitch;
    hashes += group * FS_SHA256_BYTES;
  }
}

// The extensions are faster than 8 lanes, on each processor that has them.
FS_SHA256(avx2) {
  message_shape shape = shape_of(bytes, prefix);
  if (extensions) {
    hash_pairs(&shape, messages, pitch, number, hashes);
    return;
  }
  for (int64_t group; number > 0; number -= group) {
    group = number < 8 ? number : 8;
    hash_lanes_avx2(&shape, messages, pitch, group, hashes);
    messages += group * pitch;
    hashes += group * FS_SHA256_BYTES;
  }
}

#elif defined(__aarch64__)

FS_SHA256(neon_pmull) {
  (void)extensions;
  message_shape shape = shape_of(bytes, prefix);
  hash_pairs(&shape, messages, pitch, number, hashes);
}

#endif
