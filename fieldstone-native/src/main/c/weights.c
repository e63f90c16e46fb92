// Counts pairs of binary words by the number of ones that they have in common: popcounts of 64 bits in vectors, eight of
// which are packed to bytes. In a code these have few values. The values seen so far are compared with all bytes of a
// row, the most frequent first, until all pairs of the row are counted.
#include "fieldstone.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,popcnt")))

// Right words whose counts fill one vector of bytes.
#define WORDS 64

// Right words of a block: with 128 bits each, they fill half of the first cache.
#define BLOCK_WORDS (24 * WORDS)

#define VALUES 256
#define VALUES_AT_ONCE 4

// Rows, of a left word and a block, after which the values are sorted again.
#define SORT_ROWS 256

typedef struct {
  uint8_t values[VALUES + VALUES_AT_ONCE];
  uint8_t seen[VALUES];
  int64_t number;
  int64_t rows;
} seen_values;

// Packs the counts of one left word and of some right words, a multiple of WORDS, in any order within WORDS.
FS_INLINE TARGET void pack(const int longs, const uint64_t *left, const uint8_t *parts, int64_t part_bytes, int64_t words,
                           uint8_t *packed) {
  for (int64_t word = 0; word < words; word += WORDS) {
    __m512i all = _mm512_setzero_si512();
#pragma GCC unroll 8
    for (int lane = 7; lane >= 0; lane--) {
      const uint8_t *from = parts + (word + 8 * lane) * 8;
      __m512i sum = _mm512_setzero_si512();
#pragma GCC unroll 4
      for (int part = 0; part < longs; part++) {
        __m512i both = _mm512_and_si512(_mm512_set1_epi64(left[part]), _mm512_loadu_si512(from + part * part_bytes));
        sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(both));
      }
      all = _mm512_or_si512(_mm512_slli_epi64(all, 8), sum);
    }
    _mm512_storeu_si512(packed + word, all);
  }
}

// Counts the bytes of a row that equal some values from `first` on; returns how many they are.
static TARGET int64_t count_values(const seen_values *seen, int64_t first, const uint8_t *packed, int64_t bytes,
                                   int64_t *counts) {
  __m512i value[VALUES_AT_ONCE];
  int64_t equal[VALUES_AT_ONCE], total = 0;
#pragma GCC unroll 4
  for (int i = 0; i < VALUES_AT_ONCE; i++) {
    value[i] = _mm512_set1_epi8(seen->values[first + i]);
    equal[i] = 0;
  }
  for (int64_t at = 0; at < bytes; at += WORDS) {
    __m512i x = _mm512_loadu_si512(packed + at);
#pragma GCC unroll 4
    for (int i = 0; i < VALUES_AT_ONCE; i++) equal[i] += _mm_popcnt_u64(_mm512_cmpeq_epi8_mask(x, value[i]));
  }
#pragma GCC unroll 4
  for (int i = 0; i < VALUES_AT_ONCE; i++) {
    if (first + i < seen->number) {
      counts[seen->values[first + i]] += equal[i];
      total += equal[i];
    }
  }
  return total;
}

static void sort_values(seen_values *seen, const int64_t *counts) {
  for (int64_t i = 1; i < seen->number; i++) {
    uint8_t value = seen->values[i];
    int64_t at = i;
    for (; at > 0 && counts[seen->values[at - 1]] < counts[value]; at--) seen->values[at] = seen->values[at - 1];
    seen->values[at] = value;
  }
}

// Appends the values of a row that have not been seen.
static void add_values(seen_values *seen, const uint8_t *packed, int64_t bytes) {
  for (int64_t at = 0; at < bytes; at++) {
    if (!seen->seen[packed[at]]) {
      seen->seen[packed[at]] = 1;
      seen->values[seen->number++] = packed[at];
    }
  }
}

static TARGET void count_row(seen_values *seen, const uint8_t *packed, int64_t bytes, int64_t *counts) {
  if (seen->rows++ % SORT_ROWS == 0) sort_values(seen, counts);
  int64_t missing = bytes, first = 0;
  for (int tries = 0; tries < 2 && missing > 0; tries++) {
    for (; first < seen->number && missing > 0; first += VALUES_AT_ONCE) {
      missing -= count_values(seen, first, packed, bytes, counts);
    }
    if (missing > 0) {
      first = seen->number;
      add_values(seen, packed, bytes);
    }
  }
}

// Counts the pairs of all left words with whole blocks of right words; for one number of parts of a word.
FS_INLINE TARGET void count_words(const int longs, const uint8_t *parts, int64_t part_bytes, int64_t words,
                                  const uint64_t *left, int64_t left_words, int64_t *counts) {
  _Alignas(64) uint8_t packed[BLOCK_WORDS];
  seen_values seen;
  for (int i = 0; i < VALUES; i++) seen.seen[i] = 0;
  for (int i = 0; i < VALUES + VALUES_AT_ONCE; i++) seen.values[i] = 0;
  seen.number = seen.rows = 0;
  for (int64_t word = 0; word < words; word += BLOCK_WORDS) {
    int64_t block = words - word < BLOCK_WORDS ? words - word : BLOCK_WORDS;
    for (int64_t row = 0; row < left_words; row++) {
      pack(longs, left + row * longs, parts + word * 8, part_bytes, block, packed);
      count_row(&seen, packed, block, counts);
    }
  }
}

TARGET FS_COUNT_PAIRS(avx512_gfni) {
  int64_t whole = words / WORDS * WORDS;
  if (longs == 2) {
    count_words(2, parts, part_bytes, whole, left, left_words, counts);
  } else {
    count_words(4, parts, part_bytes, whole, left, left_words, counts);
  }
  for (int64_t u = 0; u < left_words; u++) {
    for (int64_t v = whole; v < words; v++) {
      int64_t common = 0;
      for (int64_t part = 0; part < longs; part++) {
        const uint64_t *right = (const uint64_t *)(parts + part * part_bytes);
        common += __builtin_popcountll(left[u * longs + part] & right[v]);
      }
      // A word is not all ones; in memory that has been changed, it may be.
      counts[common & (VALUES - 1)]++;
    }
  }
}

#endif
