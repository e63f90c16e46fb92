// Compares the counts of pairs of words of each level of this machine with a plain loop, with guard pages on both sides of
// all words; with the argument `bench`, times them instead.
#include "check.h"

#include "../../main/c/fieldstone.h"

typedef void kernel(const uint8_t *, int64_t, int64_t, int64_t, const uint64_t *, int64_t, int64_t *);

static const struct {
  const char *name;
  kernel *count;
  int32_t level;
} KERNELS[] = {
#if defined(__x86_64__)
    {"avx512_gfni", fs_count_pairs_avx512_gfni, FS_AVX512_GFNI},
#endif
    {"", NULL, FS_NONE},
};

// A word of `ones` random bits of 8 at each place; 0 gives words of few ones.
static uint64_t word(int ones) {
  uint64_t bits = random_word();
  for (int i = 8; i > ones; i--) bits &= random_word();
  return bits;
}

static void check(int k) {
  int64_t longs = 2 + 2 * random_below(2), words = random_below(random_below(2) ? 100 : 4000);
  int64_t left_words = random_below(20), part_bytes = 8 * words + 8 * random_below(10);
  int ends = random_below(4), ones = 4 + random_below(5);
  int64_t bytes = words > 0 ? (longs - 1) * part_bytes + words * 8 : 0;
  guarded parts = guard(bytes, ends & 1), left = guard(left_words * longs * 8, ends & 2);
  for (int64_t i = 0; i < bytes / 8; i++) ((uint64_t *)parts.data)[i] = word(ones);
  for (int64_t i = 0; i < left_words * longs; i++) ((uint64_t *)left.data)[i] = word(ones) >> 1;
  int64_t expected[256], counts[256];
  for (int x = 0; x < 256; x++) expected[x] = counts[x] = x;
  for (int64_t u = 0; u < left_words; u++) {
    for (int64_t v = 0; v < words; v++) {
      int common = 0;
      for (int64_t part = 0; part < longs; part++) {
        uint64_t right = ((uint64_t *)(parts.data + part * part_bytes))[v];
        common += __builtin_popcountll(((uint64_t *)left.data)[u * longs + part] & right);
      }
      expected[common]++;
    }
  }
  KERNELS[k].count(parts.data, part_bytes, longs, words, (uint64_t *)left.data, left_words, counts);
  if (memcmp(expected, counts, sizeof counts) != 0) fail("counts of pairs differ from those of a plain loop");
  release(parts);
  release(left);
}

static void bench(int k) {
  enum { WORDS = 8192, LEFT = 256 };
  for (int64_t longs = 2; longs <= 4; longs += 2) {
    uint64_t *parts = aligned_alloc(64, WORDS * longs * 8), *left = aligned_alloc(64, LEFT * longs * 8);
    int64_t counts[256] = {0};
    double best = 1e9;
    for (int64_t i = 0; i < WORDS * longs; i++) parts[i] = random_word();
    for (int64_t i = 0; i < LEFT * longs; i++) left[i] = random_word();
    for (int round = 0; round < 30; round++) {
      double begin = seconds();
      KERNELS[k].count((uint8_t *)parts, WORDS * 8, longs, WORDS, left, LEFT, counts);
      double time = seconds() - begin;
      best = time < best ? time : best;
    }
    printf("%s, %d bits: %.2f G pairs/s\n", KERNELS[k].name, (int)longs * 64, 1e-9 * WORDS * LEFT / best);
    free(parts);
    free(left);
  }
}

int main(int count, char **arguments) {
  for (int k = 0; KERNELS[k].count != NULL; k++) {
    if (KERNELS[k].level > fs_level()) continue;
    if (count > 1 && strcmp(arguments[1], "bench") == 0) {
      bench(k);
      continue;
    }
    int rectangles = 300;
    for (int i = 0; i < rectangles; i++) check(k);
    printf("%-12s %d rectangles of pairs equal the plain loop\n", KERNELS[k].name, rectangles);
  }
  return 0;
}
