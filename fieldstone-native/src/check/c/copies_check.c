// Compares copies past the caches with memcpy, and decoded keys with a plain loop, for each level of this machine, with
// guard pages around all memory. With the argument `bench`, times them.
//
//   gcc -O3 -o copies_check copies_check.c ../../main/c/copies.c ../../main/c/level.c && ./copies_check
//   gcc -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -o ...      the same under sanitizers
#include "check.h"

#include "../../main/c/fieldstone.h"

#define LINE_BYTES 64
#define BLOCK_BYTES 4096

typedef void copier(uint8_t *, const uint8_t *, int64_t);
typedef void decoder(uint8_t *, const uint8_t *, int32_t, int64_t, int64_t, int64_t);

static const struct {
  const char *name;
  copier *copy;
  decoder *decode_ints;
  decoder *decode_longs;
  int32_t level;
} KERNELS[] = {
#if defined(__x86_64__)
    {"avx512_gfni", fs_copy_avx512_gfni, fs_decode_ints_avx512_gfni, fs_decode_longs_avx512_gfni, FS_AVX512_GFNI},
    {"avx2", fs_copy_avx2, fs_decode_ints_avx2, fs_decode_longs_avx2, FS_AVX2},
#endif
};

static void check_copy(int k, int64_t bytes) {
  guarded from = guard(bytes + random_below(64), random_below(2));
  int64_t margin = random_below(70);
  int at_end = random_below(2);
  guarded to = guard(bytes + margin, at_end);
  uint8_t *target = to.data + (at_end ? margin : 0);
  uint8_t *before = malloc(bytes + margin + 1);
  memcpy(before, to.data, bytes + margin);
  memcpy(before + (target - to.data), from.data, bytes);
  KERNELS[k].copy(target, from.data, bytes);
  if (memcmp(before, to.data, bytes + margin) != 0) fail("a copy differs from that of memcpy");
  free(before);
  release(from);
  release(to);
}

static uint64_t word_at(const uint8_t *address, int bytes) {
  uint64_t word = 0;
  memcpy(&word, address, bytes);
  return word;
}

static void check_decode(int k, int key_bytes, int width) {
  int bits = 8 * key_bytes, at_end = random_below(2);
  int64_t row_bytes = LINE_BYTES * (1 + 63 * width / bits + 2);
  guarded rows = guard(row_bytes, at_end), keys = guard(BLOCK_BYTES, random_below(2));
  uint64_t all = ~(uint64_t)0 >> (64 - bits), mask = ((uint64_t)1 << width) - 1;
  int64_t direction = -random_below(2), floating = -random_below(2), sign = (int64_t)((uint64_t)1 << (bits - 1));
  decoder *decode = key_bytes == 4 ? KERNELS[k].decode_ints : KERNELS[k].decode_longs;
  decode(keys.data, rows.data, width, direction, floating, sign);
  for (int column = 0; column < LINE_BYTES; column += key_bytes) {
    uint64_t ordered = word_at(rows.data + column, key_bytes);
    for (int row = 0; row < 64; row++) {
      uint64_t difference = 0;
      for (int i = 0; i < width; i++) {
        int bit = row * width + i;
        uint64_t word = word_at(rows.data + LINE_BYTES * (1 + bit / bits) + column, key_bytes);
        difference |= (word >> bit % bits & 1) << i;
      }
      ordered = (ordered + (difference & mask)) & all;
      uint64_t ascending = (ordered ^ (uint64_t)direction) & all;
      uint64_t flipped = ascending >> (bits - 1) ? 0 : (uint64_t)floating;
      if (word_at(keys.data + row * LINE_BYTES + column, key_bytes) != ((ascending ^ (flipped | (uint64_t)sign)) & all)) {
        fprintf(stderr, "%s: %d bits, width=%d\n", KERNELS[k].name, bits, width);
        fail("a key differs from that of the plain loop");
      }
    }
  }
  release(rows);
  release(keys);
}

static void check_all(int k) {
  int copies = 0;
  for (int64_t bytes = 0; bytes < 600; bytes++, copies++) check_copy(k, bytes);
  for (; copies < 1000; copies++) check_copy(k, random_below(20000));
  for (int width = 0; width < 64; width++) {
    if (width < 32) check_decode(k, 4, width);
    check_decode(k, 8, width);
  }
  printf("%-12s %d copies, and keys of all widths, equal the plain loops\n", KERNELS[k].name, copies);
}

static void bench(int k) {
  int64_t bytes = 1 << 28;
  uint8_t *to = aligned_alloc(64, bytes), *from = aligned_alloc(64, bytes);
  memset(to, 1, bytes);
  memset(from, 2, bytes);
  double best[3] = {1e9, 1e9, 1e9};
  for (int round = 0; round < 7; round++) {
    double times[4] = {seconds()};
    memcpy(to, from, bytes);
    times[1] = seconds();
    KERNELS[k].copy(to, from, bytes);
    times[2] = seconds();
    for (int64_t at = 0; at < bytes; at += BLOCK_BYTES) {
      KERNELS[k].decode_ints(to + at, from + at / 3 / 64 * 64, 9, 0, 0, INT64_MIN);
    }
    times[3] = seconds();
    for (int i = 0; i < 3; i++) best[i] = times[i + 1] - times[i] < best[i] ? times[i + 1] - times[i] : best[i];
  }
  printf("%s, GB/s of 256 MiB: memcpy %.1f, copy %.1f, decoded keys %.1f\n", KERNELS[k].name, bytes / best[0] * 1e-9,
         bytes / best[1] * 1e-9, bytes / best[2] * 1e-9);
  free(to);
  free(from);
}

int main(int count, char **arguments) {
  int is_bench = count > 1 && strcmp(arguments[1], "bench") == 0;
  const int kernels = sizeof KERNELS / sizeof *KERNELS;  // none on some architectures
  for (int k = 0; k < kernels; k++) {
    if (KERNELS[k].level <= fs_level()) (is_bench ? bench : check_all)(k);
  }
  return 0;
}
