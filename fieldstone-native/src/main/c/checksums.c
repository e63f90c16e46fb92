// Remainders of messages modulo any polynomial over GF(2) of degree 1 to 64, by carry-less multiplication: Gopal et al.,
// "Fast CRC computation for generic polynomials using PCLMULQDQ", 2009. checksums_fold.h has the loop; this file has
// the operations of each level.
#include "fieldstone.h"

// Bytes of a lane, which a carry-less multiplication fills.
#define LANE_BYTES 16

// Vectors that are folded side by side: as many as hide the latency of a multiplication.
#define SUMS 8

// The largest distance in bytes that lanes are folded over: a step of SUMS vectors of 64 bytes.
#define MAX_DISTANCE 512

// The powers for a distance of 16, 32, 64 ... bytes.
#define POWERS_AT(distance) (powers + 2 * __builtin_ctz((distance) / LANE_BYTES))

#define LANE_FOLD(a, powers, b) LANE_XOR(LANE_XOR(LANE_MULTIPLY_LOW(a, powers), b), LANE_MULTIPLY_HIGH(a, powers))

typedef uint64_t __attribute__((aligned(1), may_alias)) any_word;

#if defined(__x86_64__)

#include <immintrin.h>

// The places of the bytes of a lane in reverse.
#define REVERSED _mm_set_epi64x(0x0001020304050607, 0x08090A0B0C0D0E0F)

#define LANE __m128i
#define LANE_OF(low, high) _mm_set_epi64x((int64_t)(high), (int64_t)(low))
#define LANE_LOW(a) ((uint64_t)_mm_cvtsi128_si64(a))
#define LANE_HIGH(a) ((uint64_t)_mm_extract_epi64(a, 1))
#define LANE_XOR(a, b) _mm_xor_si128(a, b)
#define LANE_MULTIPLY_LOW(a, b) _mm_clmulepi64_si128(a, b, 0x00)
#define LANE_MULTIPLY_HIGH(a, b) _mm_clmulepi64_si128(a, b, 0x11)
#define LANE_LOAD(address) _mm_loadu_si128((const __m128i *)(address))

#define LEVEL avx512_gfni
#define TARGET FS_TARGET_AVX512_GFNI
#define VECTOR __m512i
#define VECTOR_BYTES 64
#define ZERO() _mm512_setzero_si512()
#define LOAD(address) _mm512_loadu_si512(address)
#define STORE(address, a) _mm512_storeu_si512(address, a)
#define REPEAT(lane) _mm512_broadcast_i32x4(lane)
#define REVERSE(a) _mm512_shuffle_epi8(a, _mm512_broadcast_i32x4(REVERSED))
#define XOR(a, b) _mm512_xor_si512(a, b)
#define FOLD(a, powers, b)                                                                                           \
  _mm512_ternarylogic_epi64(_mm512_clmulepi64_epi128(a, powers, 0x00), _mm512_clmulepi64_epi128(a, powers, 0x11), b, \
                            0x96)
#include "checksums_fold.h"

#define LEVEL avx2_gfni
#define TARGET FS_TARGET_AVX2_GFNI
#define VECTOR __m256i
#define VECTOR_BYTES 32
#define ZERO() _mm256_setzero_si256()
#define LOAD(address) _mm256_loadu_si256((const __m256i *)(address))
#define STORE(address, a) _mm256_storeu_si256((__m256i *)(address), a)
#define REPEAT(lane) _mm256_broadcastsi128_si256(lane)
#define REVERSE(a) _mm256_shuffle_epi8(a, _mm256_broadcastsi128_si256(REVERSED))
#define XOR(a, b) _mm256_xor_si256(a, b)
#define FOLD(a, powers, b)                                        \
  XOR(XOR(_mm256_clmulepi64_epi128(a, powers, 0x00), b), _mm256_clmulepi64_epi128(a, powers, 0x11))
#include "checksums_fold.h"

#define LEVEL avx2
#define TARGET FS_TARGET_AVX2
#define VECTOR __m128i
#define VECTOR_BYTES 16
#define ZERO() _mm_setzero_si128()
#define LOAD(address) _mm_loadu_si128((const __m128i *)(address))
#define STORE(address, a) _mm_storeu_si128((__m128i *)(address), a)
#define REPEAT(lane) (lane)
#define REVERSE(a) _mm_shuffle_epi8(a, REVERSED)
#define XOR(a, b) _mm_xor_si128(a, b)
#define FOLD(a, powers, b) LANE_FOLD(a, powers, b)
#include "checksums_fold.h"

#elif defined(__aarch64__)

#include <arm_neon.h>

#define LANE uint64x2_t
#define LANE_OF(low, high) vcombine_u64(vcreate_u64(low), vcreate_u64(high))
#define LANE_LOW(a) vgetq_lane_u64(a, 0)
#define LANE_HIGH(a) vgetq_lane_u64(a, 1)
#define LANE_XOR(a, b) veorq_u64(a, b)
#define LANE_MULTIPLY_LOW(a, b) \
  vreinterpretq_u64_p128(vmull_p64((poly64_t)vgetq_lane_u64(a, 0), (poly64_t)vgetq_lane_u64(b, 0)))
#define LANE_MULTIPLY_HIGH(a, b) \
  vreinterpretq_u64_p128(vmull_high_p64(vreinterpretq_p64_u64(a), vreinterpretq_p64_u64(b)))
#define LANE_LOAD(address) vreinterpretq_u64_u8(vld1q_u8((const uint8_t *)(address)))

#define LEVEL neon_pmull
#define TARGET FS_TARGET_NEON_PMULL
#define VECTOR uint64x2_t
#define VECTOR_BYTES 16
#define ZERO() vdupq_n_u64(0)
#define LOAD(address) LANE_LOAD(address)
#define STORE(address, a) vst1q_u8((uint8_t *)(address), vreinterpretq_u8_u64(a))
#define REPEAT(lane) (lane)
#define REVERSE(a) reverse(a)
#define XOR(a, b) veorq_u64(a, b)
#define FOLD(a, powers, b) LANE_FOLD(a, powers, b)

FS_INLINE uint64x2_t reverse(uint64x2_t a) {
  uint64x2_t halves = vreinterpretq_u64_u8(vrev64q_u8(vreinterpretq_u8_u64(a)));
  return vextq_u64(halves, halves, 1);
}

#include "checksums_fold.h"

#endif
