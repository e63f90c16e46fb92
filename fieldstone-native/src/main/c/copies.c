// Copies memory and decodes compressed keys with stores past the caches: a line of the cache that is written as a whole
// need not be read first. Other threads see such stores only after a fence.
#include "fieldstone.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define LINE_BYTES 64

// Rows of a block of compressed keys, each of a line.
#define BLOCK_ROWS 64

typedef uint64_t __attribute__((aligned(1), may_alias)) any_word;

FS_INLINE void copy_part_of_line(uint8_t *to, const uint8_t *from, int64_t bytes) {
  int64_t i = 0;
  for (; i < (bytes & 7); i++) to[i] = from[i];
  for (; i < bytes; i += 8) *(any_word *)(to + i) = *(const any_word *)(from + i);
}

#define COPY(LEVEL, TARGET, VECTOR, VECTOR_BYTES, LOAD, STREAM)                                                 \
  TARGET void fs_copy_##LEVEL(uint8_t *to, const uint8_t *from, int64_t bytes) {                                \
    int64_t head = -(intptr_t)to & (LINE_BYTES - 1);                                                            \
    int64_t done = head < bytes ? head : bytes;                                                                 \
    copy_part_of_line(to, from, done);                                                                          \
    for (; done <= bytes - LINE_BYTES; done += LINE_BYTES) {                                                    \
      for (int v = 0; v < LINE_BYTES; v += VECTOR_BYTES) {                                                      \
        STREAM((VECTOR *)(to + done + v), LOAD((const VECTOR *)(from + done + v)));                             \
      }                                                                                                         \
    }                                                                                                           \
    copy_part_of_line(to + done, from + done, bytes - done);                                                    \
  }

// The first row has bit-ordered keys. Each key is the one above it plus a difference of `width` bits; the differences of
// a column are one after the other in the bits of its words.
#define DECODE(NAME, LEVEL, TARGET, VECTOR, VECTOR_BYTES, LOAD, STREAM, WORD, SIGNED_WORD)                            \
  TARGET void fs_decode_##NAME##_##LEVEL(uint8_t *keys, const uint8_t *rows, int32_t width, int64_t direction,        \
                                         int64_t floating, int64_t sign) {                                            \
    typedef WORD __attribute__((vector_size(VECTOR_BYTES), may_alias)) words;                                         \
    typedef SIGNED_WORD __attribute__((vector_size(VECTOR_BYTES), may_alias)) signed_words;                           \
    enum { BITS = 8 * sizeof(WORD), VECTORS = LINE_BYTES / VECTOR_BYTES };                                            \
    const int step = width & (BITS - 1);                                                                              \
    const WORD mask = ((WORD)1 << step) - 1;                                                                          \
    words ordered[VECTORS];                                                                                           \
    for (int v = 0; v < VECTORS; v++) ordered[v] = (words)LOAD((const VECTOR *)rows + v);                             \
    for (int row = 0, bit = 0; row < BLOCK_ROWS; row++, bit += step) {                                                \
      const VECTOR *word = (const VECTOR *)(rows + LINE_BYTES * (1 + bit / BITS));                                    \
      const int shift = bit & (BITS - 1);                                                                             \
      for (int v = 0; v < VECTORS; v++) {                                                                             \
        words low = (words)LOAD(word + v) >> shift;                                                                   \
        words high = (words)LOAD(word + VECTORS + v) << 1 << (BITS - 1 - shift);                                      \
        ordered[v] += (low | high) & mask;                                                                            \
        words ascending = ordered[v] ^ (WORD)direction;                                                               \
        words is_negative = (words)((signed_words)ascending >> (BITS - 1));                                           \
        words key = ascending ^ ((~is_negative & (WORD)floating) | (WORD)sign);                                       \
        STREAM((VECTOR *)(keys + LINE_BYTES * row) + v, (VECTOR)key);                                                 \
      }                                                                                                               \
    }                                                                                                                 \
  }

#define KERNELS(LEVEL, TARGET, VECTOR, BYTES, LOAD, STREAM)                              \
  COPY(LEVEL, TARGET, VECTOR, BYTES, LOAD, STREAM)                                       \
  DECODE(ints, LEVEL, TARGET, VECTOR, BYTES, LOAD, STREAM, uint32_t, int32_t)            \
  DECODE(longs, LEVEL, TARGET, VECTOR, BYTES, LOAD, STREAM, uint64_t, int64_t)

KERNELS(avx512_gfni, FS_TARGET_AVX512_GFNI, __m512i, 64, _mm512_loadu_si512, _mm512_stream_si512)
KERNELS(avx2, FS_TARGET_AVX2, __m256i, 32, _mm256_loadu_si256, _mm256_stream_si256)

void fs_fence_avx2(void) { _mm_sfence(); }

#endif
